-------------------------- MODULE PartitionShutdown -------------------------
(* A broker shuts down in order and returns: its log is trusted.           *)
EXTENDS MCPartition
=============================================================================
