------------------------------- MODULE State -------------------------------
(***************************************************************************)
(* The variables of a replicated partition and of its controller, under    *)
(* the names that the code's state views have (core.partition              *)
(* .PartitionView, core.controller.ControllerView), and what follows from  *)
(* them.  The actions are in Controller and Partition.                     *)
(*                                                                         *)
(* One partition, a set of brokers that hold its replicas, one metadata    *)
(* log.  A request that is live is a function of its sender's state and is *)
(* not kept; its answer is.  What was abandoned and may still arrive is a  *)
(* ghost.                                                                  *)
(*                                                                         *)
(* Left out: other partitions, reassignment, producer state (a producer's  *)
(* retry is a duplicate id), bytes and sizes, time.                        *)
(***************************************************************************)
EXTENDS MetaLog, EpochLog

CONSTANTS
    Assignment,         \* the replicas in assignment order: the first is the preferred leader
    InitialLeaders,     \* who may lead at first
    InitialIsr,         \* the ISR at first, whoever leads it included
    InitialRecords,     \* records that the ISR holds at first, while its leader does not know yet
    MinIsr,             \* effective: min(min.insync.replicas, replication factor)
    ElrEnabled,         \* eligible leader replicas (KIP-966)
    UncleanElection,    \* unclean.leader.election.enable: TRUE, FALSE, or Nil, switched on only for a leaderless partition
    FlushEveryMessage,  \* log.flush.interval.messages=1: what is not fsynced counts for nothing
    BackgroundFlush,    \* without the former: fsyncs may happen all the same
    Acks,               \* what producers ask for: a subset of {"all", "1", "0"}
    TrackLag,           \* the HW waits for caught-up replicas about to join
    CommitAtOnce,       \* the metadata log commits in the step that appends
    LateAnswers,        \* the answer to an abandoned fetch may arrive: a ghost, too
    LateReads,          \* the bytes of a fetch answer are read when they leave, after the decision
    Crashable,          \* the brokers that may crash
    Budget              \* how often each perturbation may happen: a record of numbers

VARIABLES
    \* Brokers
    up,           \* up[b]: "down", "starting" (not registered), "recovery" (registered), "running"
    incarnation,  \* incarnation[b]: which life of b
    brokerEpoch,  \* brokerEpoch[b]: of this life; before its registration, of the clean stop before it, or Nil
    applied,      \* applied[b]: metadata records applied to the partition on b; 0 until b acts on metadata
    \* Replicas
    log,          \* log[b]: Seq of [epoch, id]
    logStart,     \* logStart[b]: first offset
    flushed,      \* flushed[b]: known to be fsynced below
    hw,           \* hw[b]: high watermark
    \* Leaders: Nil for the others
    epochStart,   \* epochStart[l]: log end when l took up its leader epoch
    follower,     \* follower[l][f]: [offset, brokerEpoch, caughtUp, leaderEnd] of f's last fetch
    isrState,     \* isrState[l]: [isr, partitionEpoch, pending]: committed ISR as known, and the change under way or Nil
    pendingAcks,  \* pendingAcks[l]: [required, acks] that wait for an answer
    \* Network
    fetchResp,    \* fetchResp[f]: answer on its way to f, or Nil
    apResp,       \* apResp[l]: answer to AlterPartition on its way to l, or Nil
    ghosts,       \* an abandoned message that may still arrive
    \* History, of the specification only
    acked,        \* records whose producers were told that they are safe
    exposed,      \* records that consumers have read, with the reader
    committed,    \* records that were below some leader's HW
    budget        \* what is left of Budget

brokerVars == <<up, incarnation, brokerEpoch>>
logVars == <<log, logStart, flushed>>
leaderVars == <<epochStart, follower, isrState>>
ackVars == <<hw, pendingAcks, acked, committed>>
netVars == <<fetchResp, apResp, ghosts>>
vars == <<metaVars, brokerVars, applied, logVars, leaderVars, ackVars, netVars, exposed, budget>>

Replicas == Range(Assignment)
FirstOf(S) == Assignment[MinOf({i \in DOMAIN Assignment : Assignment[i] \in S})]

(* The metadata log.  Each entry is one record with the image of the metadata after it, so that folding costs nothing: *)
(*   type    "init", "partition", "broker" (registration or change of it), "minIsr"                                    *)
(*   broker  whom a broker record is about, else Nil                                                                   *)
(*   last    the record ends an atomic batch                                                                           *)
(*   part    [leader, leaderEpoch, partitionEpoch, isr, elr, lastKnownElr, recovery]                                   *)
(*   reg     reg[b]: [epoch, incarnation, fenced, shuttingDown]; a broker epoch is the offset of its registration      *)
(*   minIsr  effective                                                                                                 *)
Image == metaLog[Len(metaLog)]
part == Image.part
reg == Image.reg
minIsr == Image.minIsr

Active(img, b) == ~img.reg[b].fenced /\ ~img.reg[b].shuttingDown
ActiveSet(img) == {b \in Replicas : Active(img, b)}

\* What b has applied; only where applied[b] > 0.
AppliedImage(b) == metaLog[applied[b]]
LeaderEpoch(b) == IF applied[b] = 0 THEN -1 ELSE AppliedImage(b).part.leaderEpoch
LeaderOf(b) == IF applied[b] = 0 THEN Nil ELSE AppliedImage(b).part.leader
PartitionEpoch(b) == IF isrState[b] # Nil THEN isrState[b].partitionEpoch ELSE AppliedImage(b).part.partitionEpoch

Alive(b) == up[b] \in {"recovery", "running"}
IsLeader(b) == isrState[b] # Nil
IsFollower(b) == applied[b] > 0 /\ LeaderOf(b) \notin {Nil, b}
OwnEpoch(b) == IF IsLeader(b) THEN LeaderEpoch(b) ELSE -1

\* Everyone who may be in the ISR that the controller holds.
MaximalIsr(st) == IF st.pending = Nil THEN st.isr ELSE st.isr \cup st.pending.isr

(* Live requests. *)
FetchRequest(f) == [
    type |-> "fetch", from |-> f, to |-> LeaderOf(f), brokerEpoch |-> brokerEpoch[f], leaderEpoch |-> LeaderEpoch(f),
    offset |-> Len(log[f]), lastEpoch |-> IF Len(log[f]) > logStart[f] THEN EpochAt(log[f], Len(log[f]) - 1) ELSE -1]

AlterPartitionRequest(l) == [
    type |-> "alterPartition", from |-> l, brokerEpoch |-> brokerEpoch[l], leaderEpoch |-> LeaderEpoch(l),
    partitionEpoch |-> isrState[l].partitionEpoch, isr |-> isrState[l].pending.isr, epochs |-> isrState[l].pending.epochs]

(* What b has on its way and would abandon by crashing or changing its epoch. *)
OnTheirWay(b) ==
    (IF Alive(b) /\ IsFollower(b) THEN {FetchRequest(b)} ELSE {})
    \cup (IF LateAnswers /\ fetchResp[b] # Nil THEN {fetchResp[b]} ELSE {})
    \cup (IF IsLeader(b) /\ isrState[b].pending # Nil THEN {AlterPartitionRequest(b)} ELSE {})

\* One of them is left to arrive later, if the budget allows; Nil for none.
MayStay(b) == {Nil} \cup IF budget.ghosts > 0 /\ ghosts = {} THEN OnTheirWay(b) ELSE {}
Haunt(g) == ghosts' = IF g = Nil THEN ghosts ELSE {g}
Spend(kind, g) == budget' = [k \in DOMAIN budget |->
    budget[k] - (IF k = kind THEN 1 ELSE 0) - (IF k = "ghosts" /\ g # Nil THEN 1 ELSE 0)]
SpendGhost(g) == budget' = IF g = Nil THEN budget ELSE [budget EXCEPT !.ghosts = @ - 1]
SpendOne(kind) == budget[kind] > 0 /\ budget' = [budget EXCEPT ![kind] = @ - 1]

Unknown == [offset |-> -1, brokerEpoch |-> -1, caughtUp |-> FALSE, leaderEnd |-> -1]
NoFollowers == [f \in Replicas |-> Unknown]
CommittedIsr(isr, partitionEpoch) == [isr |-> isr, partitionEpoch |-> partitionEpoch, pending |-> Nil]

\* The process of b is gone; it would start again with the high watermark h of its checkpoint.
Forget(b, h) ==
    /\ applied' = [applied EXCEPT ![b] = 0]
    /\ hw' = [hw EXCEPT ![b] = h]
    /\ epochStart' = [epochStart EXCEPT ![b] = Nil]
    /\ follower' = [follower EXCEPT ![b] = Nil]
    /\ isrState' = [isrState EXCEPT ![b] = Nil]
    /\ pendingAcks' = [pendingAcks EXCEPT ![b] = {}]
    /\ fetchResp' = [fetchResp EXCEPT ![b] = Nil]
    /\ apResp' = [apResp EXCEPT ![b] = Nil]

InitialImage(l) == [
    type |-> "init", broker |-> Nil, last |-> TRUE, minIsr |-> MinIsr,
    part |-> [leader |-> l, leaderEpoch |-> 0, partitionEpoch |-> 0, isr |-> InitialIsr, elr |-> {},
              lastKnownElr |-> Nil, recovery |-> "RECOVERED"],
    reg |-> [b \in Replicas |-> [epoch |-> 1, incarnation |-> 0, fenced |-> FALSE, shuttingDown |-> FALSE]]]

InitialLog == [i \in 1..InitialRecords |-> [epoch |-> 0, id |-> i]]
InitialAcks == {[acks |-> a, required |-> i, entry |-> [offset |-> i - 1, epoch |-> 0, id |-> i]] :
    a \in Acks \cap {"all"}, i \in 1..InitialRecords}

(* With InitialRecords above 0 the model starts where the ISR has fetched the records of one request and has not asked *)
(* for more: a state that is reachable from the empty logs, and saves a directed model those steps.                    *)
Init == \E l \in InitialLeaders \cap InitialIsr :
    /\ metaLog = <<InitialImage(l)>> /\ metaHw = 1
    /\ up = [b \in Replicas |-> "running"]
    /\ incarnation = [b \in Replicas |-> 0]
    /\ brokerEpoch = [b \in Replicas |-> 1]
    /\ applied = [b \in Replicas |-> 1]
    /\ log = [b \in Replicas |-> IF b \in InitialIsr THEN InitialLog ELSE <<>>]
    /\ logStart = [b \in Replicas |-> 0]
    /\ flushed = [b \in Replicas |-> 0]
    /\ hw = [b \in Replicas |-> 0]
    /\ epochStart = [b \in Replicas |-> IF b = l THEN 0 ELSE Nil]
    /\ follower = [b \in Replicas |-> IF b = l THEN
         [f \in Replicas |-> IF f \in InitialIsr \ {l} /\ InitialRecords > 0
                            THEN [Unknown EXCEPT !.offset = 0, !.brokerEpoch = 1] ELSE Unknown] ELSE Nil]
    /\ isrState = [b \in Replicas |-> IF b = l THEN CommittedIsr(InitialIsr, 0) ELSE Nil]
    /\ pendingAcks = [b \in Replicas |-> IF b = l /\ InitialIsr # {l} THEN InitialAcks ELSE {}]
    /\ fetchResp = [b \in Replicas |-> Nil]
    /\ apResp = [b \in Replicas |-> Nil]
    /\ ghosts = {}
    /\ acked = {} /\ exposed = {} /\ committed = {}
    /\ budget = Budget
=============================================================================
