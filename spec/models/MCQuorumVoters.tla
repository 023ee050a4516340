--------------------------- MODULE MCQuorumVoters ---------------------------
(***************************************************************************)
(* n1 leads; one change of voters, with n4 ready to join; two elections    *)
(* after it.                                                               *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.voters = 1, !.resign = 1]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(InitVoters \ {n1})
=============================================================================
