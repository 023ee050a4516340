------------------------------- MODULE Quorum -------------------------------
(***************************************************************************)
(* The metadata quorum: KRaft as Apache Kafka runs it (KIP-595), with      *)
(* pre-votes (KIP-996), voters that are (node id, directory id) and change *)
(* one at a time (KIP-853), and snapshots (KIP-630).                       *)
(*                                                                         *)
(* Modelled: elections, replication by fetch, the high watermark, what is  *)
(* on disk and what is not, crashes that lose any un-fsynced suffix of the *)
(* log, wiped disks, lost answers and late requests.                       *)
(*                                                                         *)
(* How messages are modelled.  A request is live until it is answered,     *)
(* replaced or abandoned, and its content is a function of its sender's    *)
(* state, so it is no variable.  Answers in flight are (voteResp,          *)
(* fetchResp).  Whoever changes role or epoch abandons its requests: their *)
(* answers are dropped.  A copy of a request may linger in the network     *)
(* (ghosts).  A refusal that would teach its asker nothing is a stutter.   *)
(*                                                                         *)
(* How disks are modelled.  flushed[v] is the fsynced end of the log; a    *)
(* crash keeps any prefix at or past it.  durable[v] is what quorum-state  *)
(* holds on disk (epoch, vote, leader).  Everything that tells an epoch    *)
(* waits until it is there; a crash before that is as if the input had not *)
(* come, so durable[v] moves with the change itself.  The one exception    *)
(* is a new leader: it writes to its log before its leadership is on disk. *)
(*                                                                         *)
(* Left out: time (a timer may run out whenever it is set), addresses (who *)
(* knows a leader's id knows where it is, if it is a voter), batches (each *)
(* record is a batch), request routing.  A flush covers whole records.     *)
(*                                                                         *)
(* Guards are switched off by name with the constant Off, to show that     *)
(* each is needed.  budget bounds what disturbs, never what heals; it is   *)
(* state, so that no constraint is needed where liveness is checked.       *)
(***************************************************************************)
EXTENDS EpochLog

CONSTANTS
    Node,       \* ids of all nodes
    Controller, \* the nodes that may be voters; the others are brokers: observers for ever
    InitVoters, \* voters until the log holds a voters record
    Static,     \* TRUE: controller.quorum.voters, a voter is known by its id alone
    FetchMax,   \* how many records an answer to a fetch may carry
    Patient,    \* TRUE: a timer that runs out where nothing else can help is no disturbance (for liveness)
    Budget      \* the initial budget: how often each disturbance may happen

VARIABLES
    \* in quorum-state
    currentEpoch, votedKey, leaderId, durable,
    \* in memory
    role, grants, rejects, fetchedFromLeader, voterFetch, fetchingSnapshot, hw,
    \* the metadata log; a snapshot stands for what is below logStart
    log, logStart, flushed, dirId,
    \* the network
    voteResp, fetchResp, ghosts,
    \* history, for properties only
    committed,
    budget

ballot   == <<currentEpoch, votedKey, leaderId, durable>>
memory   == <<role, grants, rejects, fetchedFromLeader, voterFetch, fetchingSnapshot>>
disk     == <<log, logStart, flushed>>
network  == <<voteResp, fetchResp, ghosts>>
vars     == <<ballot, memory, hw, disk, dirId, network, committed, budget>>

Roles == {"Unattached", "Prospective", "Candidate", "Leader", "Follower", "Resigned", "Down"}

-----------------------------------------------------------------------------
(* Logs.  The record at offset o is lg[o + 1]; s is a log's start.         *)

\* kind: "leader" (LeaderChange), "data" (a decision of the controller), "voters".
\* id tells data records apart; seen is how many of them the controller had taken into account when it decided.
Record(epoch, kind, id, seen, voters) ==
    [epoch |-> epoch, kind |-> kind, id |-> id, seen |-> seen, voters |-> voters]

EndEpoch(lg) == IF lg = <<>> THEN 0 ELSE lg[Len(lg)].epoch

DataCount(lg) == Cardinality({i \in 1 .. Len(lg) : lg[i].kind = "data"})

\* Offset of the first record of an epoch; only asked of a log that has one.
EpochStart(lg, epoch) == MinOf({i \in 1 .. Len(lg) : lg[i].epoch = epoch}) - 1

\* The voters in force: those of the last voters record, committed or not (KIP-853).
VotersOf(lg) ==
    LET at == {i \in 1 .. Len(lg) : lg[i].kind = "voters"}
    IN  IF at = {} THEN {<<n, 0>> : n \in InitVoters} ELSE lg[MaxOf(at)].voters

Ids(keys)        == {k[1] : k \in keys}
Key(v)           == <<v, dirId[v]>>
Matches(k, j)    == k[1] = j[1] /\ (Static \/ k[2] = j[2])
Contains(ks, k)  == \E j \in ks : Matches(j, k)
IsVoter(v)       == v \in Controller /\ Contains(VotersOf(log[v]), Key(v))
Majority(S, all) == 2 * Cardinality(S) > Cardinality(all)

-----------------------------------------------------------------------------
(* A node's part in elections, as a value: handlers compute the next one.  *)

NoFetch == [n \in Node |-> -1]

Part(v) == [epoch |-> currentEpoch[v], voted |-> votedKey[v], leader |-> leaderId[v], role |-> role[v],
            grants |-> grants[v], rejects |-> rejects[v], fetched |-> fetchedFromLeader[v],
            voterFetch |-> voterFetch[v], snapshot |-> fetchingSnapshot[v], live |-> TRUE]

\* Any change of role or epoch forgets what belonged to the old one and abandons its requests.
Become(r, epoch, voted, leader) ==
    [epoch |-> epoch, voted |-> voted, leader |-> leader, role |-> r,
     grants |-> {}, rejects |-> {}, fetched |-> FALSE, voterFetch |-> NoFetch, snapshot |-> Nil, live |-> FALSE]

VoteKept(p, epoch)           == IF epoch = p.epoch THEN p.voted ELSE Nil
ToUnattached(p, epoch, l)    == Become("Unattached", epoch, VoteKept(p, epoch), l)
ToFollower(p, epoch, l)      == Become("Follower", epoch, VoteKept(p, epoch), l)
ToProspective(v, p)          == [Become("Prospective", p.epoch, p.voted, p.leader) EXCEPT !.grants = {v}]
ToCandidate(v, p)            == [Become("Candidate", p.epoch + 1, Key(v), Nil) EXCEPT !.grants = {v}]

\* Where a leader is reached is known of a voter, and of the leader that is being followed.
Reachable(v, p) == p.leader # Nil /\ (p.role = "Follower" \/ p.leader \in Ids(VotersOf(log[v])))

\* A message names a leader that cannot be: another one of this epoch, or the node itself where it does not lead.
Contradicts(v, p, epoch, l) ==
    IF l = v THEN epoch > p.epoch \/ (epoch = p.epoch /\ p.leader # v)
             ELSE epoch = p.epoch /\ l # Nil /\ p.leader # Nil /\ l # p.leader

\* What v makes of being told that l (or nobody known) leads in epoch.
Learn(v, p, epoch, l) ==
    CASE epoch < p.epoch \/ l = v \/ Contradicts(v, p, epoch, l) -> p
      [] epoch > p.epoch /\ l = Nil                              -> ToUnattached(p, epoch, Nil)
      [] epoch > p.epoch /\ l # Nil                              -> ToFollower(p, epoch, l)
      [] OTHER -> IF l = Nil \/ (p.leader = l /\ Reachable(v, p)) THEN p ELSE ToFollower(p, epoch, l)

BallotOf(p) == [epoch |-> p.epoch, voted |-> p.voted, leader |-> p.leader]

\* v's part becomes p.  What is abandoned is dropped from what else the step leaves in flight.
SetPart(v, p) ==
    /\ currentEpoch'      = [currentEpoch EXCEPT ![v] = p.epoch]
    /\ votedKey'          = [votedKey EXCEPT ![v] = p.voted]
    /\ leaderId'          = [leaderId EXCEPT ![v] = p.leader]
    /\ role'              = [role EXCEPT ![v] = p.role]
    /\ grants'            = [grants EXCEPT ![v] = p.grants]
    /\ rejects'           = [rejects EXCEPT ![v] = p.rejects]
    /\ fetchedFromLeader' = [fetchedFromLeader EXCEPT ![v] = p.fetched]
    /\ voterFetch'        = [voterFetch EXCEPT ![v] = p.voterFetch]
    /\ fetchingSnapshot'  = [fetchingSnapshot EXCEPT ![v] = p.snapshot]

VoteAnswers(v, p, answers)  == IF p.live THEN answers ELSE {m \in answers : m.to # v}
FetchAnswers(v, p, answers) == IF p.live THEN answers ELSE [answers EXCEPT ![v] = Nil]

\* quorum-state of v is on disk with p; whoever sent what this step handles had its own there before.
Durable(v, p)             == durable' = [durable EXCEPT ![v] = BallotOf(p)]
DurableSent(sender)       == durable' = [durable EXCEPT ![sender] = BallotOf(Part(sender))]
DurableBoth(sender, v, p) == durable' = [durable EXCEPT ![sender] = BallotOf(Part(sender)), ![v] = BallotOf(p)]

Up(v)       == role[v] # "Down"
\* A disturbance without bound has a negative budget.
Has(name)   == budget[name] # 0
Spend(name) == Has(name) /\ budget' = IF budget[name] > 0 THEN [budget EXCEPT ![name] = @ - 1] ELSE budget

-----------------------------------------------------------------------------
(* Requests that are live, by their sender's state; or a late copy.        *)

FlushedFor(v) == v \notin Controller \/ flushed[v] = Len(log[v]) \/ ~On("quorum-flush")

Lost(v) == ~Majority(Ids(VotersOf(log[v])) \ rejects[v], Ids(VotersOf(log[v])))

\* A vote outlives a crash, so the log that it was given for must too.
LiveVotes(c, v) ==
    LET open == /\ role[c] \in {"Prospective", "Candidate"}
                /\ v \in Ids(VotersOf(log[c])) \ ({c} \union grants[c] \union rejects[c])
                /\ ~Lost(c)
                /\ \A m \in voteResp : ~(m.from = v /\ m.to = c)
                /\ role[c] = "Candidate" => FlushedFor(c)
    IN  IF open
        THEN {[kind |-> "vote", from |-> c, to |-> v, epoch |-> currentEpoch[c], candidate |-> Key(c),
               voter |-> CHOOSE k \in VotersOf(log[c]) : k[1] = v,
               offset |-> Len(log[c]), lastEpoch |-> EndEpoch(log[c]), pre |-> role[c] = "Prospective"]}
        ELSE {}

\* BeginQuorumEpoch of a leader, EndQuorumEpoch of one that has resigned.
LiveNews(l, v, r, kind) ==
    IF role[l] = r /\ v \in Ids(VotersOf(log[l])) \ {l}
    THEN {[kind |-> kind, from |-> l, to |-> v, epoch |-> currentEpoch[l]]}
    ELSE {}

\* A follower fetches from its leader; who knows no leader asks anybody.  A voter promises that what is before the
\* offset is on its disk.
LiveFetches(f, l) ==
    LET open == /\ \/ role[f] = "Follower" /\ leaderId[f] = l
                   \/ role[f] = "Unattached" /\ l # f
                /\ fetchResp[f] = Nil /\ fetchingSnapshot[f] = Nil
                /\ FlushedFor(f)
    IN  IF open
        THEN {[kind |-> "fetch", from |-> f, to |-> l, epoch |-> currentEpoch[f], key |-> Key(f),
               offset |-> Len(log[f]), lastEpoch |-> EndEpoch(log[f]), hw |-> hw[f]]}
        ELSE {}

Late(kind, from, to) == {q \in ghosts : q.kind = kind /\ q.from = from /\ q.to = to}

-----------------------------------------------------------------------------
(* Elections                                                               *)

Init ==
    /\ currentEpoch = [v \in Node |-> 0]
    /\ votedKey = [v \in Node |-> Nil]
    /\ leaderId = [v \in Node |-> Nil]
    /\ durable = [v \in Node |-> [epoch |-> 0, voted |-> Nil, leader |-> Nil]]
    /\ role = [v \in Node |-> "Unattached"]
    /\ grants = [v \in Node |-> {}]
    /\ rejects = [v \in Node |-> {}]
    /\ fetchedFromLeader = [v \in Node |-> FALSE]
    /\ voterFetch = [v \in Node |-> NoFetch]
    /\ fetchingSnapshot = [v \in Node |-> Nil]
    /\ hw = [v \in Node |-> 0]
    /\ log = [v \in Node |-> <<>>]
    /\ logStart = [v \in Node |-> 0]
    /\ flushed = [v \in Node |-> 0]
    /\ dirId = [v \in Node |-> 0]
    /\ voteResp = {}
    /\ fetchResp = [v \in Node |-> Nil]
    /\ ghosts = {}
    /\ committed = <<>>
    /\ budget = Budget

(* v answers c's request for a vote or a pre-vote.  A higher epoch is      *)
(* entered whatever the answer.  A pre-vote binds nobody; a vote is on     *)
(* disk before it is told.                                                 *)
HandleVoteRequest(v, c) ==
    /\ Up(v)
    /\ \E late \in BOOLEAN : \E q \in IF late THEN Late("vote", c, v) ELSE LiveVotes(c, v) :
        LET p0      == Part(v)
            fenced  == q.epoch < p0.epoch
            p1      == IF q.epoch > p0.epoch THEN ToUnattached(p0, q.epoch, Nil) ELSE p0
            ok      == ~fenced /\ (Matches(q.voter, Key(v)) \/ ~On("vote-key"))
            current == \/ q.lastEpoch > EndEpoch(log[v])
                       \/ q.lastEpoch = EndEpoch(log[v]) /\ q.offset >= Len(log[v])
                       \/ ~On("vote-up-to-date")
            content == \/ p1.role = "Leader"
                       \/ p1.role = "Follower" /\ p1.fetched /\ On("pre-vote-fetched")
            mayVote == /\ p1.role \in {"Unattached", "Prospective"}
                       /\ \/ p1.voted # Nil /\ Matches(p1.voted, q.candidate)
                          \/ (p1.voted = Nil \/ ~On("vote-once")) /\ p1.leader = Nil /\ current
            granted == ok /\ IF q.pre THEN ~content /\ current ELSE mayVote
            p2      == IF granted /\ ~q.pre THEN [p1 EXCEPT !.voted = q.candidate] ELSE p1
            answer  == [from |-> v, to |-> c, epoch |-> p2.epoch, leader |-> p2.leader, ok |-> ok, granted |-> granted]
            told    == ~late /\ (ok \/ Learn(c, Part(c), p2.epoch, p2.leader) # Part(c))
        IN  /\ told \/ [p2 EXCEPT !.live = TRUE] # p0
            /\ SetPart(v, p2)
            /\ CASE p2.voted # p0.voted /\ ~On("vote-durable") -> IF late THEN UNCHANGED durable ELSE DurableSent(c)
                 [] OTHER -> IF late THEN Durable(v, p2) ELSE DurableBoth(c, v, p2)
            /\ voteResp' = VoteAnswers(v, p2, voteResp) \union (IF told THEN {answer} ELSE {})
            /\ fetchResp' = FetchAnswers(v, p2, fetchResp)
            /\ ghosts' = IF late THEN ghosts \ {q} ELSE ghosts
            /\ UNCHANGED <<hw, disk, dirId, committed, budget>>

(* c counts v's answer.  A majority of pre-votes makes it a candidate in   *)
(* the next epoch, a majority of votes the leader, whose first record is a *)
(* LeaderChange; that is the one moment when the log is ahead of           *)
(* quorum-state.  Pre-votes that cannot win any more are given up.         *)
HandleVoteResponse(c, v) ==
    \E m \in {a \in voteResp : a.from = v /\ a.to = c} :
        LET p       == Part(c)
            voters  == Ids(VotersOf(log[c]))
            told    == m.epoch > p.epoch \/ (m.epoch = p.epoch /\ p.leader = Nil /\ m.leader # Nil)
            learned == IF told THEN Learn(c, p, m.epoch, m.leader) ELSE p
            counts  == learned = p /\ m.ok /\ m.epoch = p.epoch
            counted == IF m.granted THEN [p EXCEPT !.grants = @ \union {v}] ELSE [p EXCEPT !.rejects = @ \union {v}]
            won     == counts /\ Majority(counted.grants, voters)
            lost    == counts /\ ~Majority(voters \ counted.rejects, voters)
            leads   == won /\ p.role = "Candidate"
            q       == CASE ~counts                            -> learned
                         [] won /\ p.role = "Prospective"      -> ToCandidate(c, p)
                         [] leads                              -> Become("Leader", p.epoch, p.voted, c)
                         [] lost /\ p.role = "Prospective"     -> IF Reachable(c, p)
                                                                  THEN ToFollower(p, p.epoch, p.leader)
                                                                  ELSE ToUnattached(p, p.epoch, p.leader)
                         [] OTHER                              -> counted
        IN  /\ SetPart(c, q)
            /\ IF leads /\ Has("crash") THEN UNCHANGED durable ELSE Durable(c, q)
            /\ log' = IF leads THEN [log EXCEPT ![c] = Append(@, Record(p.epoch, "leader", 0, 0, {}))] ELSE log
            /\ voteResp' = VoteAnswers(c, q, voteResp \ {m})
            /\ fetchResp' = FetchAnswers(c, q, fetchResp)
            /\ UNCHANGED <<hw, logStart, flushed, dirId, ghosts, committed, budget>>

\* v hears from l of its epoch.
HandleNews(v, l, kind, r) ==
    \E late \in BOOLEAN : \E q \in IF late THEN Late(kind, l, v) ELSE LiveNews(l, v, r, kind) :
        LET p0 == Part(v)
            p1 == Learn(v, p0, q.epoch, l)
        IN  /\ p1 # p0
            /\ SetPart(v, p1)
            /\ IF late THEN Durable(v, p1) ELSE DurableBoth(l, v, p1)
            /\ voteResp' = VoteAnswers(v, p1, voteResp)
            /\ fetchResp' = FetchAnswers(v, p1, fetchResp)
            /\ ghosts' = IF late THEN ghosts \ {q} ELSE ghosts
            /\ UNCHANGED <<hw, disk, dirId, committed, budget>>

(* A leader makes itself known to a voter.  The answer changes nothing.    *)
HandleBeginQuorumEpoch(v, l) ==
    /\ Up(v)
    /\ HandleNews(v, l, "begin", "Leader")

(* A leader says that it goes: who had not heard of it learns of its       *)
(* epoch.  Its followers only wait less before their fetch times out.      *)
HandleEndQuorumEpoch(v, l) ==
    /\ Up(v)
    /\ HandleNews(v, l, "end", "Resigned")

StepDown(l) ==
    LET q == Become("Resigned", currentEpoch[l], votedKey[l], l)
    IN  /\ Spend("resign")
        /\ SetPart(l, q) /\ Durable(l, q)
        /\ fetchResp' = fetchResp
        /\ UNCHANGED <<hw, disk, dirId, voteResp, ghosts, committed>>

(* A leader from which no majority has fetched in time resigns.            *)
CheckQuorumTimeout(l) ==
    /\ role[l] = "Leader"
    /\ On("check-quorum")
    /\ Cardinality(VotersOf(log[l])) > 1
    /\ StepDown(l)

(* A leader whose node shuts down, or that is no voter any more and knows  *)
(* that this is committed, resigns.                                        *)
Resign(l) ==
    /\ role[l] = "Leader"
    /\ StepDown(l)

-----------------------------------------------------------------------------
(* Replication                                                             *)

\* What a majority of the voters holds on disk, once that reaches into the leader's own epoch (Raft 5.4.2).
NextHw(l, lg, fsynced, fetched) ==
    LET voters  == Ids(VotersOf(lg))
        own     == IF On("quorum-flush") THEN fsynced ELSE Len(lg)
        held(o) == Majority({n \in voters : (IF n = l THEN own ELSE fetched[n]) >= o}, voters)
        reached == MaxOf({-1} \union {o \in 0 .. Len(lg) : held(o)})
        past    == IF On("own-epoch-commit") THEN EpochStart(lg, currentEpoch[l]) ELSE -1
    IN  IF reached > past /\ reached > hw[l] THEN reached ELSE hw[l]

\* hw[l] becomes h; what that commits for the first time is remembered with the epoch that committed it.
Commit(l, h) ==
    /\ hw' = [hw EXCEPT ![l] = h]
    /\ committed' = committed \o [i \in 1 .. Max(0, h - Len(committed)) |->
                        [rec |-> log[l][Len(committed) + i], by |-> currentEpoch[l]]]

\* The leader's own LeaderChange is committed.
Ready(l) == role[l] = "Leader" /\ hw[l] > EpochStart(log[l], currentEpoch[l])

\* What a controller has taken into account that becomes active with what is committed, and then decides alone.
Seen(l) ==
    IF Ready(l) THEN DataCount(log[l])
    ELSE DataCount(SubSeq(log[l], 1, hw[l]))
         + Cardinality({i \in hw[l] + 1 .. Len(log[l]) : log[l][i].kind = "data" /\ log[l][i].epoch = currentEpoch[l]})

(* The active controller's decision is appended.                           *)
AppendMetadata(l) ==
    /\ role[l] = "Leader"
    /\ Ready(l) \/ ~On("activate-after-own-entry")
    /\ Spend("append")
    /\ log' = [log EXCEPT ![l] = Append(@, Record(currentEpoch[l], "data", budget["append"], Seen(l), {}))]
    /\ UNCHANGED <<ballot, memory, hw, logStart, flushed, dirId, network, committed>>

(* A flush has ended: the log is on disk up to some record.  A leader      *)
(* counts itself that far.                                                 *)
PersistMetadata(v) ==
    \E n \in flushed[v] + 1 .. Len(log[v]) :
        /\ Up(v) /\ v \in Controller
        /\ flushed' = [flushed EXCEPT ![v] = n]
        /\ IF role[v] = "Leader" THEN Commit(v, NextHw(v, log[v], n, voterFetch[v])) ELSE UNCHANGED <<hw, committed>>
        /\ UNCHANGED <<ballot, memory, log, logStart, dirId, network, budget>>

\* Where the fetcher's log ends to agree with l's, if it does not; Nil if it does.
Diverging(l, q) ==
    LET found == EndOffsetFor(log[l], logStart[l], -1, q.lastEpoch)
        end   == IF found = Undefined THEN [offset |-> Len(log[l]), epoch |-> EndEpoch(log[l])] ELSE found
    IN  IF q.offset = 0 \/ (end.epoch = q.lastEpoch /\ end.offset >= q.offset) THEN Nil ELSE end

\* What the fetcher needs, or what must be compared with it, is only in l's snapshot.
Snapshotted(l, q) ==
    LET s == logStart[l]
    IN  s > 0 /\ (q.offset < s \/ q.lastEpoch < log[l][s].epoch \/ (q.offset = s /\ q.lastEpoch # log[l][s].epoch))

(* l answers a fetch.  A leader of the fetcher's epoch whose log agrees    *)
(* with the fetcher's counts it as held, if it comes from a voter; else it *)
(* says where the logs part, or names its snapshot.  Anybody else tells    *)
(* its epoch and leader.  A fetch without news waits.                      *)
HandleMetadataFetch(l, f) ==
    /\ Up(l) /\ l # f
    /\ \E late \in BOOLEAN : \E q \in IF late THEN Late("fetch", f, l) ELSE LiveFetches(f, l) :
        LET leads    == role[l] = "Leader" /\ q.epoch = currentEpoch[l]
            snapshot == leads /\ Snapshotted(l, q)
            end      == IF leads /\ ~snapshot THEN Diverging(l, q) ELSE Nil
            fits     == leads /\ ~snapshot /\ end = Nil
            voters   == VotersOf(log[l])
            counts   == fits /\ (Contains(voters, q.key) \/ (f \in Controller /\ f \notin Ids(voters) /\ ~Static))
            fetched  == IF counts THEN [voterFetch[l] EXCEPT ![f] = q.offset] ELSE voterFetch[l]
            h        == IF counts THEN NextHw(l, log[l], flushed[l], fetched) ELSE hw[l]
            records  == IF fits THEN SubSeq(log[l], q.offset + 1, Min(q.offset + FetchMax, Len(log[l]))) ELSE <<>>
            answer   == [kind |-> "fetch", from |-> l, ok |-> leads, epoch |-> currentEpoch[l], leader |-> leaderId[l],
                         hw |-> h, end |-> end, records |-> records,
                         snapshot |-> IF snapshot THEN logStart[l] ELSE Nil]
            news     == IF leads THEN ~fits \/ records # <<>> \/ h > q.hw \/ ~fetchedFromLeader[f]
                                 ELSE Learn(f, Part(f), currentEpoch[l], leaderId[l]) # Part(f)
            told     == ~late /\ news
        IN  /\ told \/ fetched # voterFetch[l] \/ h # hw[l]
            /\ Commit(l, h)
            /\ voterFetch' = [voterFetch EXCEPT ![l] = fetched]
            /\ fetchResp' = IF told THEN [fetchResp EXCEPT ![f] = answer] ELSE fetchResp
            /\ IF late THEN Durable(l, Part(l)) ELSE DurableBoth(f, l, Part(l))
            /\ ghosts' = IF late THEN ghosts \ {q} ELSE ghosts
            /\ UNCHANGED <<currentEpoch, votedKey, leaderId, role, grants, rejects, fetchedFromLeader,
                           fetchingSnapshot, disk, dirId, voteResp, budget>>

\* Where f cuts its log when its leader says that the logs part at `end`.  With the guard off, at its high watermark, as
\* Kafka did before KIP-101.
CutAt(f, end) ==
    LET own == EndOffsetFor(log[f], logStart[f], -1, end.epoch)
        cut == CASE own = Undefined          -> end.offset
                 [] own.epoch # end.epoch    -> own.offset
                 [] OTHER                    -> Min(end.offset, own.offset)
    IN  IF On("quorum-divergence") THEN Min(cut, Len(log[f])) ELSE hw[f]

(* f takes its leader's answer: cuts its log where it parts from the       *)
(* leader's, else appends and learns the high watermark.  An answer whose  *)
(* epoch or offset is no longer f's own was abandoned.  To cut below the   *)
(* high watermark is refused: the node stops.                              *)
HandleMetadataFetchResponse(f) ==
    /\ fetchResp[f] # Nil
    /\ LET m      == fetchResp[f]
           p0     == Part(f)
           p1     == Learn(f, p0, m.epoch, m.leader)
           usable == m.ok /\ m.epoch = p0.epoch /\ m.leader = p1.leader /\ p1.role = "Follower"
           p2     == CASE ~usable            -> p1
                       [] m.snapshot # Nil   -> [p1 EXCEPT !.snapshot = m.snapshot]
                       [] OTHER              -> [p1 EXCEPT !.fetched = TRUE]
           cut    == IF m.end # Nil THEN CutAt(f, m.end) ELSE Len(log[f])
           lg     == IF usable THEN SubSeq(log[f], 1, cut) \o m.records ELSE log[f]
       IN  /\ m.kind = "fetch"
           /\ usable => cut >= hw[f]
           /\ SetPart(f, p2) /\ Durable(f, p2)
           /\ log' = [log EXCEPT ![f] = lg]
           /\ flushed' = [flushed EXCEPT ![f] = Min(@, cut)]
           /\ hw' = IF usable /\ m.end = Nil /\ m.snapshot = Nil
                    THEN [hw EXCEPT ![f] = Max(@, Min(m.hw, Len(lg)))] ELSE hw
           /\ voteResp' = VoteAnswers(f, p2, voteResp)
           /\ fetchResp' = [fetchResp EXCEPT ![f] = Nil]
           /\ UNCHANGED <<logStart, dirId, ghosts, committed, budget>>

-----------------------------------------------------------------------------
(* Snapshots (KIP-630)                                                     *)

(* A node replaces a committed prefix of its log by a snapshot.            *)
CreateSnapshot(v) ==
    \E n \in logStart[v] + 1 .. hw[v] :
        /\ Up(v)
        /\ Spend("snapshot")
        /\ logStart' = [logStart EXCEPT ![v] = n]
        /\ UNCHANGED <<ballot, memory, hw, log, flushed, dirId, network, committed>>

(* The leader sends its snapshot, if it still is the one that was named.   *)
HandleFetchSnapshot(l, f) ==
    /\ role[l] = "Leader" /\ role[f] = "Follower" /\ leaderId[f] = l /\ currentEpoch[f] = currentEpoch[l]
    /\ fetchingSnapshot[f] # Nil /\ fetchResp[f] = Nil
    /\ LET n == fetchingSnapshot[f]
       IN  fetchResp' = [fetchResp EXCEPT ![f] =
               [kind |-> "snapshot", from |-> l, ok |-> n = logStart[l], epoch |-> currentEpoch[l], leader |-> l,
                hw |-> hw[l], end |-> Nil, records |-> IF n = logStart[l] THEN SubSeq(log[l], 1, n) ELSE <<>>,
                snapshot |-> n]]
    /\ DurableSent(f)
    /\ UNCHANGED <<currentEpoch, votedKey, leaderId, memory, hw, disk, dirId, voteResp, ghosts, committed, budget>>

(* f has the whole snapshot, on disk: it replaces its log.  If the leader  *)
(* has another one by now, f fetches anew.                                 *)
HandleFetchSnapshotResponse(f) ==
    /\ fetchResp[f] # Nil
    /\ LET m == fetchResp[f]
           p == [Part(f) EXCEPT !.snapshot = Nil]
           n == Len(m.records)
       IN  /\ m.kind = "snapshot"
           /\ SetPart(f, p) /\ Durable(f, p)
           /\ log' = IF m.ok THEN [log EXCEPT ![f] = m.records] ELSE log
           /\ logStart' = IF m.ok THEN [logStart EXCEPT ![f] = n] ELSE logStart
           /\ flushed' = IF m.ok THEN [flushed EXCEPT ![f] = n] ELSE flushed
           /\ hw' = IF m.ok THEN [hw EXCEPT ![f] = Max(@, n)] ELSE hw
           /\ fetchResp' = [fetchResp EXCEPT ![f] = Nil]
           /\ UNCHANGED <<dirId, voteResp, ghosts, committed, budget>>

-----------------------------------------------------------------------------
(* Voters (KIP-853)                                                        *)

\* No change is under way, and the leader has fenced those of earlier epochs.
MayChange(l) ==
    /\ Ready(l)
    /\ \A i \in hw[l] + 1 .. Len(log[l]) : log[l][i].kind # "voters"

(* The leader removes the voter w, or adds the node w that has caught up.  *)
(* The new set is in force at once, committed or not.                      *)
HandleChangeVoter(l, w) ==
    LET voters == VotersOf(log[l])
        gone   == {k \in voters : k[1] = w}
        next   == IF gone # {} THEN voters \ gone ELSE voters \union {Key(w)}
    IN  /\ role[l] = "Leader" /\ w \in Controller
        /\ MayChange(l) \/ ~On("one-voter-change")
        /\ gone = {} => Up(w) /\ voterFetch[l][w] >= hw[l]
        /\ next # {}
        /\ Spend("voters")
        /\ log' = [log EXCEPT ![l] = Append(@, Record(currentEpoch[l], "voters", 0, 0, next))]
        /\ voterFetch' = IF gone # {} THEN [voterFetch EXCEPT ![l][w] = -1] ELSE voterFetch
        /\ UNCHANGED <<ballot, role, grants, rejects, fetchedFromLeader, fetchingSnapshot, hw, logStart, flushed,
                       dirId, network, committed>>

-----------------------------------------------------------------------------
(* Faults                                                                  *)

\* What a node comes up with from an epoch, a vote and a leader on disk.  It never leads again in the same epoch
\* (KAFKA-10527).
Restored(v, b) ==
    LET p(r) == Become(r, b.epoch, b.voted, b.leader)
        last == EndEpoch(log[v])
    IN  CASE b.epoch < last                                  -> Become("Unattached", last, Nil, Nil)
          [] b.leader = v                                    -> p("Resigned")
          [] b.leader # Nil                                  -> p(IF b.leader \in Ids(VotersOf(log[v]))
                                                                  THEN "Follower" ELSE "Unattached")
          [] b.voted = Key(v) /\ IsVoter(v) /\ last < b.epoch -> [p("Candidate") EXCEPT !.grants = {v}]
          [] OTHER                                           -> p("Unattached")

(* A process dies, or the power of its machine: any prefix of the log at   *)
(* or past what was fsynced stays, and quorum-state as it was or as it was *)
(* being written.                                                          *)
Crash(v) ==
    \E k \in flushed[v] .. Len(log[v]) : \E b \in {durable[v], BallotOf(Part(v))} :
        LET p == Become("Down", b.epoch, b.voted, b.leader)
        IN  /\ Up(v)
            /\ Spend("crash")
            /\ SetPart(v, p) /\ Durable(v, p)
            /\ log' = [log EXCEPT ![v] = SubSeq(@, 1, k)]
            /\ flushed' = [flushed EXCEPT ![v] = k]
            /\ logStart' = logStart
            /\ hw' = [hw EXCEPT ![v] = logStart[v]]
            /\ voteResp' = VoteAnswers(v, p, voteResp)
            /\ fetchResp' = FetchAnswers(v, p, fetchResp)
            /\ UNCHANGED <<dirId, ghosts, committed>>

(* The disk of a node that is down is replaced, and formatted anew: a new  *)
(* directory id.                                                           *)
WipeDisk(v) ==
    LET p == Become("Down", 0, Nil, Nil)
    IN  /\ role[v] = "Down"
        /\ Spend("wipe")
        /\ SetPart(v, p) /\ Durable(v, p)
        /\ log' = [log EXCEPT ![v] = <<>>]
        /\ flushed' = [flushed EXCEPT ![v] = 0]
        /\ logStart' = [logStart EXCEPT ![v] = 0]
        /\ hw' = [hw EXCEPT ![v] = 0]
        /\ dirId' = [dirId EXCEPT ![v] = @ + 1]
        /\ UNCHANGED <<network, committed>>

(* A node comes up with what is on its disk.                               *)
RestartNode(v) ==
    LET p == Restored(v, durable[v])
    IN  /\ role[v] = "Down"
        /\ SetPart(v, p) /\ Durable(v, p)
        /\ UNCHANGED <<hw, disk, dirId, network, committed, budget>>

(* An answer from v to w is lost, or a copy of a request of v to w is held *)
(* up and may arrive when v has abandoned it.                              *)
LoseMessage(v, w) ==
    \/ /\ Spend("lose")
       /\ \/ /\ \E m \in voteResp : m.from = v /\ m.to = w /\ voteResp' = voteResp \ {m}
             /\ UNCHANGED fetchResp
          \/ /\ fetchResp[w] # Nil /\ fetchResp[w].from = v
             /\ fetchResp' = [fetchResp EXCEPT ![w] = Nil]
             /\ UNCHANGED voteResp
       /\ UNCHANGED <<ballot, memory, hw, disk, dirId, ghosts, committed>>
    \/ /\ Spend("ghost")
       /\ ghosts = {}
       /\ \E q \in LiveVotes(v, w) \union LiveFetches(v, w) \union LiveNews(v, w, "Leader", "begin") :
              ghosts' = {q}
       /\ DurableSent(v)
       /\ UNCHANGED <<currentEpoch, votedKey, leaderId, memory, hw, disk, dirId, voteResp, fetchResp, committed>>

-----------------------------------------------------------------------------
(* Timers                                                                  *)

\* What heals: messages that say something, flushes, nodes that come up.
Heal ==
    \/ \E v \in Node : PersistMetadata(v) \/ HandleMetadataFetchResponse(v) \/ HandleFetchSnapshotResponse(v) \/ RestartNode(v)
    \/ \E v, w \in Node :
        \/ HandleVoteRequest(v, w) \/ HandleVoteResponse(v, w)
        \/ HandleBeginQuorumEpoch(v, w) \/ HandleEndQuorumEpoch(v, w)
        \/ HandleMetadataFetch(v, w) \/ HandleFetchSnapshot(v, w)

\* The first lines only save time: they are implied by the last.
Quiet ==
    /\ voteResp = {} /\ \A v \in Node : fetchResp[v] = Nil /\ Up(v)
    /\ \A v \in Controller : flushed[v] = Len(log[v])
    /\ ~ENABLED Heal

Served(f) ==
    LET l == leaderId[f] IN role[l] = "Leader" /\ currentEpoch[l] = currentEpoch[f]

(* A voter that waited long enough for a leader asks whether it would be   *)
(* elected (pre-vote).  One that resigned leaves its epoch first; one that *)
(* still knows a leader goes back to it instead of asking again.           *)
ElectionTimeout(v) ==
    LET p == Part(v)
        q == CASE role[v] = "Resigned"                     -> ToUnattached(p, p.epoch + 1, Nil)
               [] role[v] = "Prospective" /\ Reachable(v, p) -> ToFollower(p, p.epoch, p.leader)
               [] OTHER                                    -> ToProspective(v, p)
    IN  /\ role[v] \in {"Unattached", "Prospective", "Candidate", "Resigned"}
        /\ IsVoter(v) \/ role[v] = "Resigned"
        /\ [q EXCEPT !.live = TRUE] # p
        /\ IF Patient /\ Quiet THEN UNCHANGED budget ELSE Spend("timeout")
        /\ SetPart(v, q) /\ Durable(v, q)
        /\ voteResp' = VoteAnswers(v, q, voteResp)
        /\ fetchResp' = FetchAnswers(v, q, fetchResp)
        /\ UNCHANGED <<hw, disk, dirId, ghosts, committed>>

(* A voter whose fetches have not succeeded in time asks for pre-votes,    *)
(* and still knows its leader.                                             *)
FetchTimeout(v) ==
    LET q == ToProspective(v, Part(v))
    IN  /\ role[v] = "Follower" /\ IsVoter(v)
        /\ IF Patient /\ Quiet /\ ~Served(v) THEN UNCHANGED budget ELSE Spend("timeout")
        /\ SetPart(v, q) /\ Durable(v, q)
        /\ voteResp' = VoteAnswers(v, q, voteResp)
        /\ fetchResp' = FetchAnswers(v, q, fetchResp)
        /\ UNCHANGED <<hw, disk, dirId, ghosts, committed>>

-----------------------------------------------------------------------------
Next ==
    \/ \E v \in Node :
        \/ ElectionTimeout(v)
        \/ FetchTimeout(v)
        \/ CheckQuorumTimeout(v)
        \/ Resign(v)
        \/ AppendMetadata(v)
        \/ PersistMetadata(v)
        \/ HandleMetadataFetchResponse(v)
        \/ CreateSnapshot(v)
        \/ HandleFetchSnapshotResponse(v)
        \/ Crash(v)
        \/ WipeDisk(v)
        \/ RestartNode(v)
    \/ \E v, w \in Node :
        \/ HandleVoteRequest(v, w)
        \/ HandleVoteResponse(v, w)
        \/ HandleBeginQuorumEpoch(v, w)
        \/ HandleEndQuorumEpoch(v, w)
        \/ HandleMetadataFetch(v, w)
        \/ HandleFetchSnapshot(v, w)
        \/ HandleChangeVoter(v, w)
        \/ LoseMessage(v, w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Safety                                                                  *)

Ballots == [epoch : Nat, voted : {Nil} \union (Node \X Nat), leader : Node \union {Nil}]

TypeOK ==
    /\ \A v \in Node :
        /\ currentEpoch[v] \in Nat
        /\ votedKey[v] = Nil \/ votedKey[v] \in Node \X Nat
        /\ leaderId[v] \in Node \union {Nil}
        /\ role[v] \in Roles
        /\ grants[v] \subseteq Node /\ rejects[v] \subseteq Node
        /\ 0 <= logStart[v] /\ logStart[v] <= hw[v] /\ hw[v] <= Len(log[v])
        /\ 0 <= flushed[v] /\ flushed[v] <= Len(log[v])
        /\ \A i \in 1 .. Len(log[v]) - 1 : log[v][i].epoch <= log[v][i + 1].epoch
        /\ EndEpoch(log[v]) <= currentEpoch[v] \/ role[v] = "Down"
        /\ role[v] = "Leader" => leaderId[v] = v
        /\ role[v] \in {"Prospective", "Candidate"} <=> grants[v] # {}
    /\ \A m \in voteResp : role[m.to] \in {"Prospective", "Candidate"}
    /\ Cardinality(ghosts) <= 1

(* No epoch has two leaders, and nobody believes in a second one.          *)
OneLeaderPerEpoch ==
    \A v, w \in Node :
        currentEpoch[v] = currentEpoch[w] /\ leaderId[v] # Nil /\ leaderId[w] # Nil => leaderId[v] = leaderId[w]

(* Two logs with a record of the same epoch at the same offset are equal   *)
(* up to there.                                                            *)
LogMatching ==
    \A v, w \in Node : \A i \in 1 .. Min(Len(log[v]), Len(log[w])) :
        log[v][i].epoch = log[w][i].epoch => SubSeq(log[v], 1, i) = SubSeq(log[w], 1, i)

(* A leader has every record that was committed in an earlier epoch.       *)
LeaderCompleteness ==
    \A l \in Node : role[l] = "Leader" =>
        \A i \in 1 .. Len(committed) :
            committed[i].by < currentEpoch[l] => Len(log[l]) >= i /\ log[l][i] = committed[i].rec

(* Whatever anybody takes for committed is the one committed log.          *)
StateMachineSafety ==
    \A v \in Node : hw[v] <= Len(committed) /\ \A i \in 1 .. hw[v] : i <= Len(log[v]) /\ log[v][i] = committed[i].rec

(* Nobody is asked to cut its log below its high watermark.                *)
NoCutBelowHw ==
    \A f \in Node : fetchResp[f] # Nil /\ fetchResp[f].end # Nil /\ role[f] = "Follower" => CutAt(f, fetchResp[f].end) >= hw[f]

(* Every decision was taken with all decisions before it in the log in     *)
(* mind: who replays the log comes to the state that the controller had.   *)
DecidedOnItsPrefix ==
    \A v \in Node : \A i \in 1 .. Len(log[v]) :
        log[v][i].kind = "data" => log[v][i].seen = DataCount(SubSeq(log[v], 1, i - 1))

(* A node's epoch never falls, and neither does the one on its disk.       *)
EpochsMonotone ==
    [][\A v \in Node : dirId'[v] = dirId[v] =>
          /\ durable'[v].epoch >= durable[v].epoch
          /\ role'[v] # "Down" => currentEpoch'[v] >= currentEpoch[v]]_vars

(* A high watermark never falls while its node is up.                      *)
HwMonotone == [][\A v \in Node : role'[v] # "Down" => hw'[v] >= hw[v]]_vars

-----------------------------------------------------------------------------
(* The metadata log that the controller and the partitions see (MetaLog):  *)
(* that of the newest leader, unless somebody newer has committed; else    *)
(* what is committed.  Control records are the quorum's own.               *)

Data(lg)  == SelectSeq(lg, LAMBDA r : r.kind = "data")
Committed == [i \in 1 .. Len(committed) |-> committed[i].rec]
Leaders   == {l \in Node : role[l] = "Leader" /\ \A i \in 1 .. Len(committed) : committed[i].by <= currentEpoch[l]}
Newest    == CHOOSE l \in Leaders : \A w \in Leaders : currentEpoch[w] <= currentEpoch[l]

Abstract == INSTANCE MetaLog WITH
    metaLog <- Data(IF Leaders = {} THEN Committed ELSE log[Newest]),
    metaHw  <- DataCount(Committed)

RefinesMetaLog    == Abstract!MetaSpec
CommittedStays    == Abstract!CommittedStays
MetaHwWithinLog   == Abstract!MetaHwWithinLog

=============================================================================
