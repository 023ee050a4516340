------------------------- MODULE MCQuorumTwoChanges -------------------------
(***************************************************************************)
(* n1 leads; two changes of voters, one election.                          *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.voters = 2]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(Controller \ {n1})
=============================================================================
