-------------------------- MODULE PartitionFailover -------------------------
(* The controller fails and takes decisions along that were appended and   *)
(* not committed.                                                          *)
EXTENDS MCPartition
=============================================================================
