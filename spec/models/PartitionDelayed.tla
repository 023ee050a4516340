-------------------------- MODULE PartitionDelayed --------------------------
(* A request to change the ISR arrives when its leader has lost and        *)
(* regained its leadership, in the same life or in another.                *)
EXTENDS MCPartition
=============================================================================
