--------------------------- MODULE MCQuorumCrash ----------------------------
(***************************************************************************)
(* Two elections and one crash, which may lose an un-fsynced suffix of the *)
(* log. No decision: the leaders' own records suffice.                     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2, !.crash = 1]
=============================================================================
