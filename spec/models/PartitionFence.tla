--------------------------- MODULE PartitionFence ---------------------------
(* Three replicas, two records, one fence: elections, truncation, the way  *)
(* back into the ISR.                                                      *)
EXTENDS MCPartition
=============================================================================
