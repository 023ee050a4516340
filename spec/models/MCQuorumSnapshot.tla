-------------------------- MODULE MCQuorumSnapshot --------------------------
(***************************************************************************)
(* n1 leads, n2 follows, n3 has nothing yet: decisions and snapshots of    *)
(* any committed prefix, one election.                                     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 1, !.append = 1, !.snapshot = 2]

CONSTANTS n1, n2
FromLed == Led(n1, {n2}) /\ [][Next]_vars
=============================================================================
