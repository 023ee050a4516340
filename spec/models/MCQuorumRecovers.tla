-------------------------- MODULE MCQuorumRecovers --------------------------
(***************************************************************************)
(* Liveness from the start: one crash and one early timer, then a leader   *)
(* that all follow. Fairness as in MCQuorumSettles.                        *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.crash = 1]

Fair == WF_vars(Heal) /\ \A v \in Node : SF_vars(ElectionTimeout(v) \/ FetchTimeout(v))

\* Everybody follows one leader, has its log and knows that it is committed.
Settled == \E l \in Node : Ready(l) /\ \A v \in Node :
    leaderId[v] = l /\ log[v] = log[l] /\ hw[v] = Len(log[l])

(* When disturbances have ended, one leader is followed by all, for good.  *)
Settles == <>[]Settled

FromStart == Init /\ [][Next]_vars /\ Fair
=============================================================================
