--------------------------- MODULE PartitionFlush ---------------------------
(* Every message is fsynced: two power losses take nothing that was        *)
(* acknowledged with acks=all.                                             *)
EXTENDS MCPartition
=============================================================================
