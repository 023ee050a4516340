------------------------- MODULE PartitionTwoLosses -------------------------
(* ELR on, unclean election off, and both replicas lose power: the last    *)
(* known leader is elected all the same.                                   *)
EXTENDS MCPartition
=============================================================================
