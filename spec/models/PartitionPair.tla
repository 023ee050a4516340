---------------------------- MODULE PartitionPair ---------------------------
(* Two replicas, one record: lag, a fence, a lost answer, a producer that  *)
(* retries.                                                                *)
EXTENDS MCPartition
=============================================================================
