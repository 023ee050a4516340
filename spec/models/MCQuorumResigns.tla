-------------------------- MODULE MCQuorumResigns ---------------------------
(***************************************************************************)
(* n1 leads and resigns, as on shutdown, with a decision on its way; who   *)
(* is elected after it resigns too, and says so.                           *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.append = 1, !.resign = 2]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(Controller \ {n1})
=============================================================================
