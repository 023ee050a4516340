--------------------------- MODULE PartitionMinIsr --------------------------
(* min.insync.replicas is raised or lowered while the ISR shrinks and      *)
(* grows.                                                                  *)
EXTENDS MCPartition
=============================================================================
