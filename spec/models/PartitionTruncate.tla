-------------------------- MODULE PartitionTruncate -------------------------
(* A follower that lags with its high watermark truncates for a new        *)
(* leader.                                                                 *)
EXTENDS MCPartition
=============================================================================
