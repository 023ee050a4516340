-------------------------- MODULE MCQuorumRecovers --------------------------
(***************************************************************************)
(* Liveness: n1 leads and anybody crashes; then a leader that all follow. *)
(* Fairness as in MCQuorumSettles; no timer runs out early.                *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.crash = 1]

Fair == WF_vars(Heal) /\ \A v \in Node : SF_vars(ElectionTimeout(v) \/ FetchTimeout(v))

\* Everybody follows one leader, has its log and knows that it is committed.
Settled == \E l \in Node : Ready(l) /\ \A v \in Node :
    leaderId[v] = l /\ log[v] = log[l] /\ hw[v] = Len(log[l])

(* When disturbances have ended, one leader is followed by all, for good.  *)
Settles == <>[]Settled

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars /\ Fair
=============================================================================
