------------------------- MODULE PartitionLateReads -------------------------
(* The bytes of an answer are read after the leader that decided it was    *)
(* deposed and has truncated.                                              *)
EXTENDS MCPartition
=============================================================================
