-------------------------- MODULE MCQuorumPreVote ---------------------------
(***************************************************************************)
(* n1 leads and the others fetch from it; only n3 does not hear the        *)
(* answers in time, again and again (incident Q02). Nobody deposes n1.     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = -1]

CONSTANTS n1, n3
FromLed == Led(n1, Controller) /\ [][Next]_vars
FusedOnlyN3 == Fused /\ \A v \in Node : role'[v] = "Prospective" => v = n3

(* A leader that a majority fetches from keeps its epoch.                  *)
Undisturbed == role[n1] = "Leader" /\ \A v \in Node : currentEpoch[v] = 1
=============================================================================
