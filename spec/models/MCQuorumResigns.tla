-------------------------- MODULE MCQuorumResigns ---------------------------
(***************************************************************************)
(* n1 leads and resigns, as on shutdown, with a decision on its way: the   *)
(* others are told, and elect another leader.                              *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.append = 1, !.resign = 1]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(Controller \ {n1})
=============================================================================
