-------------------------- MODULE PartitionDiverge --------------------------
(* A replica outside of the ISR holds what the new leader never had.       *)
EXTENDS MCPartition
=============================================================================
