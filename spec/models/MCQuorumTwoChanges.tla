------------------------- MODULE MCQuorumTwoChanges -------------------------
(***************************************************************************)
(* n1 leads; two changes of voters, one election; a timer more.            *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2, !.voters = 2]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(Controller \ {n1})
=============================================================================
