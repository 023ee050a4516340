--------------------------- MODULE PartitionStale ---------------------------
(* Leadership moves twice; fetches and answers of older epochs arrive      *)
(* late.                                                                   *)
EXTENDS MCPartition
=============================================================================
