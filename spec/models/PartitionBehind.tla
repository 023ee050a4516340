--------------------------- MODULE PartitionBehind --------------------------
(* The new leader lags with its high watermark, and a replica that holds   *)
(* less wants to join.                                                     *)
EXTENDS MCPartition
=============================================================================
