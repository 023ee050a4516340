-------------------------- MODULE MCQuorumObserver --------------------------
(***************************************************************************)
(* n1 leads three voters, the broker b1 observes: a decision, an election, *)
(* a crash of anybody.                                                     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.append = 1, !.crash = 1]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars
SymmetryOfOthers == Permutations(Controller \ {n1})
=============================================================================
