---------------------------- MODULE PartitionFull ---------------------------
(* Three replicas, two records, one fence, one shrink.                     *)
EXTENDS MCPartition
=============================================================================
