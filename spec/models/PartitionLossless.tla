-------------------------- MODULE PartitionLossless -------------------------
(* Producers that ask for acks=1: nothing committed is lost, while what    *)
(* they were told may be.                                                  *)
EXTENDS MCPartition
=============================================================================
