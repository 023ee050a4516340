------------------------- MODULE MCQuorumDecisions --------------------------
(***************************************************************************)
(* Two elections and two decisions: what a new controller knows when it    *)
(* decides.                                                                *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2, !.append = 2]
=============================================================================
