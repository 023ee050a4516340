------------------------------ MODULE MCQuorum ------------------------------
(***************************************************************************)
(* Small instances of Quorum.  The constants of each are in its cfg; here  *)
(* are the reductions, and the states that must be reachable.              *)
(***************************************************************************)
EXTENDS Quorum, TLC

Symmetry == Permutations(Controller)

\* A budget in which nothing may happen.
None == [timeout |-> 0, append |-> 0, crash |-> 0, wipe |-> 0, lose |-> 0, ghost |-> 0, resign |-> 0, snapshot |-> 0, voters |-> 0]

(* Where a model starts from a state that other runs have led to: all are  *)
(* up, on disk, know no leader, and have voted for nobody in their epoch.  *)
LeaderRecord(epoch) == Record(epoch, "leader", 0, 0, {})
At(logs, epoch, done) ==
    /\ log = logs
    /\ currentEpoch = [v \in Node |-> epoch]
    /\ committed = done
    /\ flushed = [v \in Node |-> Len(logs[v])]
    /\ durable = [v \in Node |-> [epoch |-> epoch, voted |-> Nil, leader |-> Nil]]
    /\ votedKey = [v \in Node |-> Nil] /\ leaderId = [v \in Node |-> Nil]
    /\ role = [v \in Node |-> "Unattached"] /\ grants = [v \in Node |-> {}] /\ rejects = [v \in Node |-> {}]
    /\ fetchedFromLeader = [v \in Node |-> FALSE] /\ voterFetch = [v \in Node |-> NoFetch]
    /\ fetchingSnapshot = [v \in Node |-> Nil]
    /\ hw = [v \in Node |-> 0] /\ logStart = [v \in Node |-> 0] /\ dirId = [v \in Node |-> 0]
    /\ voteResp = {} /\ fetchResp = [v \in Node |-> Nil] /\ ghosts = {}
    /\ budget = Budget

\* l leads epoch 1, alone or with others that have all or nothing of its log; its own record is committed.
Led(l, with) ==
    LET lg == <<LeaderRecord(1)>>
        has(v) == v = l \/ v \in with
    IN  /\ log = [v \in Node |-> IF has(v) THEN lg ELSE <<>>]
        /\ committed = <<[rec |-> LeaderRecord(1), by |-> 1]>>
        /\ flushed = [v \in Node |-> IF has(v) /\ v \in Controller THEN 1 ELSE 0]
        /\ hw = [v \in Node |-> IF has(v) THEN 1 ELSE 0]
        /\ currentEpoch = [v \in Node |-> 1]
        /\ leaderId = [v \in Node |-> l]
        /\ votedKey = [v \in Node |-> IF has(v) /\ v \in Controller THEN <<l, 0>> ELSE Nil]
        /\ durable = [v \in Node |-> [epoch |-> 1, voted |-> votedKey[v], leader |-> l]]
        /\ role = [v \in Node |-> IF v = l THEN "Leader" ELSE "Follower"]
        /\ grants = [v \in Node |-> {}] /\ rejects = [v \in Node |-> {}]
        /\ fetchedFromLeader = [v \in Node |-> v # l /\ has(v)]
        /\ voterFetch = [v \in Node |-> IF v = l THEN [w \in Node |-> IF w \in with \intersect Controller THEN 1 ELSE -1]
                                        ELSE NoFetch]
        /\ fetchingSnapshot = [v \in Node |-> Nil]
        /\ logStart = [v \in Node |-> 0] /\ dirId = [v \in Node |-> 0]
        /\ voteResp = {} /\ fetchResp = [v \in Node |-> Nil] /\ ghosts = {}
        /\ budget = Budget

(* Reductions, as action constraints.  FusedRpc: the two actions of an RPC *)
(* follow one another.  FusedRestart: a node that is down comes up before  *)
(* anything else happens.  FusedPreVote: pre-votes are asked and answered  *)
(* before anything else happens.                                           *)
Answered == {n \in Node : fetchResp[n] # Nil}
FusedRpc ==
    voteResp # {} \/ Answered # {} =>
        /\ voteResp' \subseteq voteResp /\ Answered' \subseteq Answered
        /\ voteResp' # voteResp \/ Answered' # Answered
FusedRestart ==
    (\E v \in Node : role[v] = "Down") =>
        \E v \in Node : role[v] = "Down" /\ (role'[v] # "Down" \/ dirId'[v] # dirId[v])
FusedPreVote ==
    \A v \in Node : role[v] = "Prospective" /\ (\E w \in Node : LiveVotes(v, w) # {}) =>
        voteResp' # voteResp \/ role'[v] # role[v]
Fused == FusedRpc /\ FusedRestart /\ FusedPreVote

(* States that must be reachable: the negations are violated.              *)
LeadsIn(v, epoch) == role[v] = "Leader" /\ currentEpoch[v] = epoch
\* Two leaders alive in different epochs; both taking decisions.
ReachTwoLeaders == ~\E v, w \in Node : role[v] = "Leader" /\ role[w] = "Leader" /\ currentEpoch[v] # currentEpoch[w]
ReachTwoServing == ~\E v, w \in Node : Ready(v) /\ Ready(w) /\ currentEpoch[v] # currentEpoch[w]
\* A record that its own leader did not commit is committed by a later one; a decision among them.
ReachCommittedLater == ~\E i \in 1 .. Len(committed) : committed[i].rec.epoch < committed[i].by
ReachDecisionCommittedLater ==
    ~\E i \in 1 .. Len(committed) : committed[i].rec.epoch < committed[i].by /\ committed[i].rec.kind = "data"
\* A follower is about to cut records off its log; it cuts less than its leader says (its epoch ends earlier).
ReachCut == ~\E f \in Node : fetchResp[f] # Nil /\ fetchResp[f].end # Nil /\ CutAt(f, fetchResp[f].end) < Len(log[f])
ReachCutByOwnEpoch ==
    ~\E f \in Node : fetchResp[f] # Nil /\ fetchResp[f].end # Nil /\ CutAt(f, fetchResp[f].end) < Min(fetchResp[f].end.offset, Len(log[f]))
\* A node comes up as candidate of its epoch; one came up that won it and does not lead it again.
ReachRestoredCandidate == ~\E v \in Node : role[v] = "Down" /\ Restored(v, durable[v]).role = "Candidate"
ReachLogAheadOfBallot ==
    ~\E v \in Node : role[v] = "Unattached" /\ votedKey[v] = Key(v) /\ \E i \in 1 .. Len(log[v]) : log[v][i].epoch = currentEpoch[v]
\* A crash takes away what a leader had appended.
ReachLostTail == ~\E v \in Node : role[v] = "Down" /\ leaderId[v] = v /\ EndEpoch(log[v]) < currentEpoch[v]
\* A follower has its leader's snapshot, and made none itself; the snapshot that was named is there no more.
ReachSnapshotTaken ==
    ~(budget["snapshot"] = Budget["snapshot"] - 1 /\ \E v, w \in Node : v # w /\ logStart[v] > 0 /\ logStart[w] > 0)
ReachSnapshotGone == ~\E f \in Node : fetchResp[f] # Nil /\ fetchResp[f].kind = "snapshot" /\ ~fetchResp[f].ok
\* A late request still does something: it makes somebody vote for a candidate that has abandoned it.
ReachLateVote == ~\E v, w \in Node : votedKey[v] # Nil /\ votedKey[v][1] = w /\ v # w /\ role[w] \notin {"Candidate", "Leader"} /\ currentEpoch[v] = currentEpoch[w]
                    /\ budget["ghost"] < Budget["ghost"] /\ ghosts = {}
\* Voters: an added one votes or counts; a leader is no voter any more.
ReachVoterAdded == ~\E i \in 1 .. Len(committed) : committed[i].rec.kind = "voters" /\ Cardinality(committed[i].rec.voters) > Cardinality(InitVoters)
ReachLeaderRemoved == ~\E v \in Node : role[v] = "Leader" /\ ~IsVoter(v)
ReachAddedVoterLeads == ~\E v \in Controller \ InitVoters : role[v] = "Leader"
\* A broker follows; a wiped voter follows as an observer.
ReachObserverCaughtUp == ~\E v \in Node \ Controller : log[v] # <<>> /\ hw[v] = Len(log[v])
ReachWipedFollows == ~\E v \in Node : dirId[v] > 0 /\ log[v] # <<>> /\ ~IsVoter(v)
=============================================================================
