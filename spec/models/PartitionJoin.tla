---------------------------- MODULE PartitionJoin ---------------------------
(* One of two replicas is outside of the ISR at first and joins, while     *)
(* either may be fenced and an answer lost.                                *)
EXTENDS MCPartition
=============================================================================
