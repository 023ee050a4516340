---------------------------- MODULE PartitionFull ---------------------------
(* Three replicas, one record, one fence, one shrink.                      *)
EXTENDS MCPartition
=============================================================================
