---------------------------- MODULE PartitionElr3 ---------------------------
(* Three replicas, minIsr 2, ELR: two fences and a power loss.             *)
EXTENDS MCPartition
=============================================================================
