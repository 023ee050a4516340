--------------------------- MODULE PartitionNoElr ---------------------------
(* Without ELR the last member of the ISR stays in it through a power      *)
(* loss.                                                                   *)
EXTENDS MCPartition
=============================================================================
