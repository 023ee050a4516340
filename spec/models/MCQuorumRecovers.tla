-------------------------- MODULE MCQuorumRecovers --------------------------
(***************************************************************************)
(* Liveness from the start: one crash and one early timer, then a leader   *)
(* that all follow. Fairness as in MCQuorumSettles.                        *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.crash = 1]

\* Steps of an RPC follow one another, as part of the specification: no constraint cuts the graph.
Step  == Next /\ FusedRpc /\ FusedPreVote /\ FusedRestart
Fair  == WF_vars(Heal /\ FusedRpc /\ FusedPreVote /\ FusedRestart)
         /\ \A v \in Node : SF_vars((ElectionTimeout(v) \/ FetchTimeout(v)) /\ FusedRpc /\ FusedPreVote /\ FusedRestart)

\* Everybody follows one leader, has its log and knows that it is committed.
Settled == \E l \in Node : Ready(l) /\ \A v \in Node :
    leaderId[v] = l /\ log[v] = log[l] /\ hw[v] = Len(log[l])

(* When disturbances have ended, one leader is followed by all, for good.  *)
Settles == <>[]Settled

FromStart == Init /\ [][Step]_vars /\ Fair
=============================================================================
