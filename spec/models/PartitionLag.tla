---------------------------- MODULE PartitionLag ----------------------------
(* The high watermark waits for a replica that is about to join, until it  *)
(* lags.                                                                   *)
EXTENDS MCPartition
=============================================================================
