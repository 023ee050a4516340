-------------------------- MODULE MCQuorumFigure8 ---------------------------
(***************************************************************************)
(* Four elections, answers of one record: Raft's figure 8, and logs that   *)
(* part (KIP-101). The leaders' own records suffice.                       *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 4]
=============================================================================
