------------------------- MODULE PartitionLateReads -------------------------
(* The bytes of an answer are read after the leader that decided it was    *)
(* deposed and has truncated.  It starts where the leader b1 has written   *)
(* two records, of which b3, outside of the ISR, holds the first.          *)
EXTENDS PartitionFrom

FromHalf == From(b1, b1 :> Wrote(2) @@ b2 :> <<>> @@ b3 :> Wrote(1), {b3}) /\ [][Next]_vars

\* A bound: nobody but the leader is fenced.
LeaderFenced == \A b \in {b2, b3} : ~reg'[b].fenced
=============================================================================
