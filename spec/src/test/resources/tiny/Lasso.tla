------------------------------- MODULE Lasso -------------------------------
(* A number that goes round, and rests only where it begins. *)
EXTENDS Integers
VARIABLE n
Init == n = 0
Turn == n' = IF n = 3 THEN 1 ELSE n + 1
Spec == Init /\ [][Turn]_n /\ WF_n(Turn)
Rests == <>[](n = 2)
=============================================================================
