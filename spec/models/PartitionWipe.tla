---------------------------- MODULE PartitionWipe ---------------------------
(* A process is killed, and its machine returns with an empty disk.        *)
EXTENDS MCPartition
=============================================================================
