--------------------------- MODULE PartitionGhost ---------------------------
(* A request of an earlier life arrives late; requests and answers         *)
(* interleave freely.                                                      *)
EXTENDS MCPartition
=============================================================================
