---------------------------- MODULE PartitionFree ---------------------------
(* As PartitionFence, with requests and answers interleaved freely.        *)
EXTENDS MCPartition
=============================================================================
