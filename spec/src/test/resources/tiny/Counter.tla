------------------------------ MODULE Counter ------------------------------
(***************************************************************************)
(* Two processes raise a number and lower it again.                        *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
    Max, \* how far it goes
    Off  \* the guards that are switched off

VARIABLES n, who
vars == <<n, who>>

On(guard) == guard \notin Off

Init == n = 0 /\ who = {}

\* Someone raises the number, up to its bound.
Raise(p) == (On("bound") => n < Max) /\ n' = n + 1 /\ who' = who \union {p}

(* The number goes back by one.                                            *)
Lower == n > 0 /\ n' = n - 1 /\ UNCHANGED who

\* Never enabled.
Never == n < 0 /\ UNCHANGED vars

Next == (\E p \in {"a", "b"} : Raise(p)) \/ Lower \/ Never
Spec == Init /\ [][Next]_vars

\* The number stays within its bound.
WithinBound == n <= Max
\* The number never falls.
NeverFalls == [][n' >= n]_vars
\* In the end it is at its bound.
Arrives == <>(n = Max)
\* Both have raised: reached where this is violated.
ReachBoth == who # {"a", "b"}
=============================================================================
