--------------------------- MODULE PartitionReads ---------------------------
(* Consumers read from leader and follower, records are deleted, a leader  *)
(* is fenced.                                                              *)
EXTENDS MCPartition
=============================================================================
