-------------------------- MODULE MCQuorumSettles ---------------------------
(***************************************************************************)
(* Liveness: three voters whose votes were split and whose logs part come  *)
(* to one leader and one log. Fairness: what heals happens (weak); each    *)
(* voter's timer runs out if again and again nothing else can help         *)
(* (strong). No timer runs out early.                                      *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 0]

CONSTANTS n1, n2, n3

Fair == WF_vars(Heal) /\ \A v \in Node : SF_vars(ElectionTimeout(v) \/ FetchTimeout(v))

\* Everybody follows one leader, has its log and knows that it is committed.
Settled == \E l \in Node : Ready(l) /\ \A v \in Node :
    leaderId[v] = l /\ log[v] = log[l] /\ hw[v] = Len(log[l])

(* When disturbances have ended, one leader is followed by all, for good.  *)
Settles == <>[]Settled

Logs == (n1 :> <<LeaderRecord(1), LeaderRecord(2)>>) @@ (n2 :> <<LeaderRecord(1), LeaderRecord(3)>>) @@ (n3 :> <<LeaderRecord(1)>>)
Split ==
    /\ log = Logs /\ currentEpoch = [v \in Node |-> 4] /\ committed = <<[rec |-> LeaderRecord(1), by |-> 1]>>
    /\ votedKey = [v \in Node |-> <<v, 0>>] /\ leaderId = [v \in Node |-> Nil]
    /\ durable = [v \in Node |-> [epoch |-> 4, voted |-> <<v, 0>>, leader |-> Nil]]
    /\ role = [v \in Node |-> "Candidate"] /\ grants = [v \in Node |-> {v}] /\ rejects = [v \in Node |-> {}]
    /\ fetchedFromLeader = [v \in Node |-> FALSE] /\ voterFetch = [v \in Node |-> NoFetch]
    /\ fetchingSnapshot = [v \in Node |-> Nil]
    /\ flushed = [v \in Node |-> Len(log[v])] /\ hw = [v \in Node |-> 0]
    /\ logStart = [v \in Node |-> 0] /\ dirId = [v \in Node |-> 0]
    /\ voteResp = {} /\ fetchResp = [v \in Node |-> Nil] /\ ghosts = {}
    /\ budget = Budget

FromSplit == Split /\ [][Next]_vars /\ Fair

\* Mutant: who has lost an election waits for ever.
StayCandidate(v, p) ==
    IF p.role = "Candidate" THEN p ELSE [Become("Prospective", p.epoch, p.voted, p.leader) EXCEPT !.grants = {v}]
\* Mutant: a follower cuts where the leader says, not where its own epoch ends.
CutAsTold(f, end) == Min(end.offset, Len(log[f]))
=============================================================================
