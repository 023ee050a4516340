---------------------------- MODULE PartitionElr ----------------------------
(* Eligible leader replicas, minIsr 2: lag, and one power loss that takes  *)
(* what was not fsynced.                                                   *)
EXTENDS MCPartition
=============================================================================
