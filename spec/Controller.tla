----------------------------- MODULE Controller ----------------------------
(***************************************************************************)
(* The active controller, for one partition: who leads it, its ISR and ELR *)
(* (KIP-497, 841, 903, 966), and the registrations of the brokers that     *)
(* hold it (KIP-631).  Java: core.controller, core.broker.                 *)
(*                                                                         *)
(* It decides on the state that includes its own uncommitted records; an   *)
(* answer leaves when what it rests on is committed.  A decision is one    *)
(* batch.  Fenced and session are one thing here: the session of a broker  *)
(* that is unfenced is live, that of a fenced one is over.                 *)
(*                                                                         *)
(* Left out: reassignment, topics, configs but minIsr, features, the       *)
(* controller's own activation (it is LoseUncommitted and a fresh session  *)
(* for every unfenced broker).                                             *)
(***************************************************************************)
EXTENDS State

controllerUnchanged == <<logVars, leaderVars, ackVars, exposed, applied>>

-----------------------------------------------------------------------------
(* Decisions: pure functions of an image. Java: Elections, PartitionChanges. *)

(* Who leads, given the ISR and ELR as they will be, and the leader and last known leader as they were.                *)
(* In order: the preferred replica if asked for, the current leader, the first of the assignment, each if valid; with  *)
(* ISR and ELR both empty the last known leader, uncleanly and whatever UncleanElection says; in mode "UNCLEAN" the    *)
(* first active replica.                                                                                               *)
Elect(mode, p, isr, elr, active) ==
    LET live == IF On("elect-active") THEN active ELSE Replicas
        elrCounts == ElrEnabled /\ (isr = {} \/ ~On("elect-elr-when-isr-empty"))
        insync == IF On("elect-isr-only") THEN isr \cup (IF elrCounts THEN elr ELSE {}) ELSE Replicas
        valid == insync \cap live
        lastKnown == ElrEnabled /\ isr = {} /\ elr = {} /\ p.lastKnownElr # Nil /\ p.lastKnownElr \in live
    IN IF mode = "PREFERRED" /\ Assignment[1] \in valid THEN [leader |-> Assignment[1], unclean |-> FALSE]
       ELSE IF p.leader \in valid THEN [leader |-> p.leader, unclean |-> FALSE]
       ELSE IF valid # {} THEN [leader |-> FirstOf(valid), unclean |-> FALSE]
       ELSE IF lastKnown THEN [leader |-> p.lastKnownElr, unclean |-> TRUE]
       ELSE IF mode = "UNCLEAN" /\ live # {} THEN [leader |-> FirstOf(live), unclean |-> TRUE]
       ELSE [leader |-> Nil, unclean |-> FALSE]

DefaultMode == IF UncleanElection = TRUE THEN "UNCLEAN" ELSE "ONLINE"

(* The partition once its ISR is target: with whom that elects, and the ELR and last known leader that follow          *)
(* (KIP-966). A change of the ISR alone does not raise the leader epoch (KAFKA-15021). untrusted may hold no record.   *)
Change(img, mode, target, recovery, active, untrusted) ==
    LET p == img.part
        elr == IF ElrEnabled /\ Cardinality(target) < img.minIsr THEN ((p.isr \cup p.elr) \ target) \ untrusted ELSE {}
        elected == Elect(mode, p, target, elr, active)
        leader == elected.leader
        new == leader # p.leader
        fromElr == new /\ ~elected.unclean /\ leader \in elr
        unclean == new /\ elected.unclean
        isr1 == IF unclean \/ fromElr THEN {leader} ELSE target
        isr2 == IF isr1 = {} /\ ~ElrEnabled THEN p.isr ELSE isr1
        elr2 == IF unclean THEN {} ELSE IF fromElr THEN elr \ {leader} ELSE elr
        lastKnown == IF ~ElrEnabled \/ leader # Nil THEN Nil
                     ELSE IF isr2 # {} \/ p.isr = {} THEN p.lastKnownElr
                     ELSE IF p.leader # Nil THEN p.leader ELSE FirstOf(p.isr)
        q == [p EXCEPT !.leader = leader, !.isr = isr2, !.elr = elr2, !.lastKnownElr = lastKnown,
                       !.recovery = IF unclean THEN "RECOVERING" ELSE recovery]
    IN IF q = p THEN p
       ELSE [q EXCEPT !.leaderEpoch = IF new THEN @ + 1 ELSE @, !.partitionEpoch = @ + 1]

\* b leaves the ISR and does not lead.
Without(img, b, untrusted) ==
    Change(img, DefaultMode, img.part.isr \ {b}, img.part.recovery, ActiveSet(img) \ {b}, untrusted)

-----------------------------------------------------------------------------
(* Appending *)

PartitionRecord(img, p, last) == [img EXCEPT !.type = "partition", !.broker = Nil, !.part = p, !.last = last]
BrokerRecord(img, b, r, last) == [img EXCEPT !.type = "broker", !.broker = b, !.reg[b] = r, !.last = last]

\* The change of the partition, if it is one, then the broker; or the other way round.
PartitionThenBroker(img, p, b, r) ==
    IF p = img.part THEN <<BrokerRecord(img, b, r, TRUE)>>
    ELSE LET first == PartitionRecord(img, p, FALSE) IN <<first, BrokerRecord(first, b, r, TRUE)>>
BrokerThenPartition(img, b, r, p) ==
    IF p = img.part THEN <<BrokerRecord(img, b, r, TRUE)>>
    ELSE LET first == BrokerRecord(img, b, r, FALSE) IN <<first, PartitionRecord(first, p, TRUE)>>

Decide(batch) ==
    /\ AppendBatch(batch)
    /\ metaHw' = IF CommitAtOnce THEN Len(metaLog) + Len(batch) ELSE metaHw

\* A decision that may change nothing: then the action is not taken.
DecidePartition(p) == p # part /\ Decide(<<PartitionRecord(Image, p, TRUE)>>)

\* What an answer that leaves now may rest on.
Known == IF On("controller-committed-answers") THEN metaHw ELSE Len(metaLog)

Fenced(img, b) == [img.reg[b] EXCEPT !.fenced = TRUE]

-----------------------------------------------------------------------------
(* Actions *)

(* HandleBrokerRegistration, by the controller: a new incarnation of b, while no session of another lives. It is       *)
(* fenced; what its predecessor held is taken from it: as by a fencing if it stopped cleanly or ELR is off, else out   *)
(* of ISR and ELR, since its disk may have lost what it acknowledged (KIP-966).                                        *)
HandleBrokerRegistration(b) ==
    /\ up[b] = "starting"
    /\ reg[b].incarnation # incarnation[b]
    /\ On("registration-incarnation") => reg[b].fenced
    /\ LET clean == brokerEpoch[b] = reg[b].epoch
           untrusted == ~clean /\ ElrEnabled /\ On("registration-unclean")
           held == b \in part.isr \/ (untrusted /\ b \in part.elr)
           p == IF held THEN Without(Image, b, IF untrusted THEN {b} ELSE {}) ELSE part
           epoch == Len(metaLog) + IF p = part THEN 1 ELSE 2
       IN Decide(PartitionThenBroker(Image, p, b,
            [epoch |-> epoch, incarnation |-> incarnation[b], fenced |-> TRUE, shuttingDown |-> FALSE]))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

(* HandleBrokerRegistrationResponse, by b: the registration is committed, its offset is the broker epoch. *)
HandleBrokerRegistrationResponse(b) ==
    /\ up[b] = "starting"
    /\ metaLog[Known].reg[b].incarnation = incarnation[b]
    /\ up' = [up EXCEPT ![b] = "recovery"]
    /\ brokerEpoch' = [brokerEpoch EXCEPT ![b] = metaLog[Known].reg[b].epoch]
    /\ UNCHANGED <<metaVars, incarnation, netVars, budget, controllerUnchanged>>

(* HandleBrokerHeartbeatResponse, by b: unfenced, it runs; fenced at its own wish, it stops in order: everything is    *)
(* fsynced, and the broker epoch is written down as the mark of a clean stop.                                          *)
HandleBrokerHeartbeatResponse(b) ==
    /\ Alive(b) /\ metaLog[Known].reg[b].epoch = brokerEpoch[b]
    /\ \/ /\ up[b] = "recovery" /\ ~metaLog[Known].reg[b].fenced
          /\ up' = [up EXCEPT ![b] = "running"]
          /\ UNCHANGED <<netVars, controllerUnchanged>>
       \/ /\ metaLog[Known].reg[b].fenced /\ metaLog[Known].reg[b].shuttingDown
          /\ up' = [up EXCEPT ![b] = "down"]
          /\ flushed' = [flushed EXCEPT ![b] = Len(log[b])]
          /\ Forget(b, hw[b])
          /\ UNCHANGED <<ghosts, log, logStart, acked, committed, exposed>>
    /\ UNCHANGED <<metaVars, incarnation, brokerEpoch, budget>>

(* HandleBrokerHeartbeat, by the controller, from the registered incarnation of b. One that wants to run is unfenced   *)
(* once it has applied its own registration, and may be elected. One that wants to stop leaves the ISR and its         *)
(* leaderships first, and is fenced when every active broker has applied that, the whole batch.                        *)
HandleBrokerHeartbeat(b, want) ==
    /\ Alive(b) /\ brokerEpoch[b] = reg[b].epoch
    /\ \/ /\ want = "run" /\ reg[b].fenced /\ ~reg[b].shuttingDown /\ applied[b] >= reg[b].epoch
          /\ LET r == [reg[b] EXCEPT !.fenced = FALSE]
                 p == IF part.leader # Nil THEN part
                      ELSE Change(Image, DefaultMode, part.isr, part.recovery, ActiveSet(Image) \cup {b}, {})
             IN Decide(BrokerThenPartition(Image, b, r, p))
          /\ UNCHANGED budget
       \/ /\ want = "shutdown" /\ Active(Image, b) /\ SpendOne("shutdowns")
          /\ LET p == IF b \in part.isr THEN Without(Image, b, {}) ELSE part
             IN Decide(BrokerThenPartition(Image, b, [reg[b] EXCEPT !.shuttingDown = TRUE], p))
       \/ /\ want = "shutdown" /\ reg[b].shuttingDown /\ ~reg[b].fenced
          /\ part.leader # b
          /\ \A a \in ActiveSet(Image) : \E i \in 1..applied[a] : metaLog[i].last /\ metaLog[i].reg[b].shuttingDown
          /\ LET p == IF b \in part.isr THEN Without(Image, b, {}) ELSE part
             IN Decide(PartitionThenBroker(Image, p, b, Fenced(Image, b)))
          /\ UNCHANGED budget
    /\ UNCHANGED <<brokerVars, netVars, controllerUnchanged>>

(* BrokerSessionTimeout, by the controller: b did not heartbeat. It is fenced and leaves the ISR; with ELR on it may   *)
(* stay eligible. A perturbation where the process lives, healing where it does not.                                   *)
BrokerSessionTimeout(b) ==
    /\ ~reg[b].fenced
    /\ IF Alive(b) /\ brokerEpoch[b] = reg[b].epoch THEN SpendOne("fences") ELSE UNCHANGED budget
    /\ LET p == IF b \in part.isr THEN Without(Image, b, {}) ELSE part
       IN Decide(PartitionThenBroker(Image, p, b, Fenced(Image, b)))
    /\ UNCHANGED <<brokerVars, netVars, controllerUnchanged>>

(* Why an AlterPartition is refused; "NONE" if it is not. In Kafka's order. *)
Refusal(r) ==
    LET stale == {b \in r.isr : r.epochs[b] >= 0 /\ r.epochs[b] # reg[b].epoch}
    IN IF r.brokerEpoch # reg[r.from].epoch /\ On("ap-sender-epoch") THEN "STALE_BROKER_EPOCH"
       ELSE IF r.leaderEpoch > part.leaderEpoch /\ On("ap-leader-epoch") THEN "NOT_CONTROLLER"
       ELSE IF r.leaderEpoch < part.leaderEpoch /\ On("ap-leader-epoch") THEN "FENCED_LEADER_EPOCH"
       ELSE IF r.from # part.leader THEN "INVALID_REQUEST"
       ELSE IF r.partitionEpoch > part.partitionEpoch /\ On("ap-partition-epoch") THEN "NOT_CONTROLLER"
       ELSE IF r.partitionEpoch < part.partitionEpoch /\ On("ap-partition-epoch") THEN "INVALID_UPDATE_VERSION"
       ELSE IF ~r.isr \subseteq Replicas \/ r.from \notin r.isr THEN "INVALID_REQUEST"
       ELSE IF ~r.isr \subseteq ActiveSet(Image) /\ On("ap-fenced-members") THEN "INELIGIBLE_REPLICA"
       ELSE IF stale # {} /\ On("ap-broker-epochs") THEN "INELIGIBLE_REPLICA"
       ELSE "NONE"

\* A leader of this product asks for RECOVERED only, so that ap-recovering never refuses: see spec/README.md.
AfterAlterPartition(r) == Change(Image, DefaultMode, r.isr, "RECOVERED", ActiveSet(Image), {})

(* HandleAlterPartition, by the controller: the leader l changes its ISR (KIP-497). A change raises the partition      *)
(* epoch; a refusal changes nothing and says why. The answer rests on all that was decided before it.                  *)
HandleAlterPartition(l) ==
    /\ IsLeader(l) /\ isrState[l].pending # Nil /\ apResp[l] = Nil
    /\ LET r == AlterPartitionRequest(l)
           error == Refusal(r)
           q == IF error = "NONE" THEN AfterAlterPartition(r) ELSE part
           told == IF error = "NONE" /\ q.leader # part.leader THEN "NEW_LEADER_ELECTED" ELSE error
       IN /\ IF q = part THEN UNCHANGED metaVars ELSE DecidePartition(q)
          /\ apResp' = [apResp EXCEPT ![l] =
               [error |-> told, leaderEpoch |-> q.leaderEpoch, partitionEpoch |-> q.partitionEpoch, isr |-> q.isr,
                offset |-> Len(metaLog')]]
    /\ UNCHANGED <<brokerVars, fetchResp, ghosts, budget, controllerUnchanged>>

(* HandleElectLeaders, by the controller: an operator asks for the preferred leader, or for any (KIP-460). *)
HandleElectLeaders(mode) ==
    /\ SpendOne("elections")
    /\ IF mode = "UNCLEAN" THEN part.leader = Nil ELSE part.leader # Assignment[1]
    /\ DecidePartition(Change(Image, mode, part.isr, part.recovery, ActiveSet(Image), {}))
    /\ UNCHANGED <<brokerVars, netVars, controllerUnchanged>>

(* PreferredLeaderTimeout, by the controller: leadership goes back to the first of the assignment where it is valid. *)
PreferredLeaderTimeout ==
    /\ SpendOne("elections")
    /\ part.leader # Assignment[1]
    /\ DecidePartition(Change(Image, "PREFERRED", part.isr, part.recovery, ActiveSet(Image), {}))
    /\ UNCHANGED <<brokerVars, netVars, controllerUnchanged>>

(* UncleanElectionTimeout, by the controller: where unclean election is enabled, any active replica may lead. Where it *)
(* always was, no decision has left a leader out that the timer could find: it is for what was switched on later.      *)
UncleanElectionTimeout ==
    /\ UncleanElection # FALSE /\ part.leader = Nil
    /\ DecidePartition(Change(Image, "UNCLEAN", part.isr, part.recovery, ActiveSet(Image), {}))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

(* HandleAlterMinIsr, by the controller: min.insync.replicas changes to n; with ELR on, the ELR and the last known     *)
(* leader are cleared in the same batch (ClearElrRecord).                                                              *)
HandleAlterMinIsr(n) ==
    /\ n # minIsr /\ SpendOne("minIsrChanges")
    /\ LET clears == ElrEnabled /\ (part.elr # {} \/ part.lastKnownElr # Nil)
           first == [Image EXCEPT !.type = "minIsr", !.broker = Nil, !.minIsr = n, !.last = ~clears]
           p == [part EXCEPT !.elr = {}, !.lastKnownElr = Nil, !.partitionEpoch = @ + 1]
       IN Decide(IF clears THEN <<first, PartitionRecord(first, p, TRUE)>> ELSE <<first>>)
    /\ UNCHANGED <<brokerVars, netVars, controllerUnchanged>>

(* CommitMetadata: the quorum's high watermark has moved past one or more whole batches. *)
CommitMetadata ==
    /\ \E n \in (metaHw + 1)..Len(metaLog) : metaLog[n].last /\ CommitUpTo(n)
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

(* LoseUncommitted, by the environment: the controller fails, and batches that it had appended and not committed are   *)
(* gone, with every answer that waited for them. The requests are live again.                                          *)
LoseUncommitted ==
    /\ SpendOne("failovers")
    /\ \E n \in metaHw..(Len(metaLog) - 1) :
         /\ metaLog[n].last /\ CutTo(n)
         /\ apResp' = [l \in Replicas |-> IF apResp[l] # Nil /\ apResp[l].offset > n THEN Nil ELSE apResp[l]]
    /\ UNCHANGED <<brokerVars, fetchResp, ghosts, controllerUnchanged>>
=============================================================================
