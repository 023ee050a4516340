---------------------------- MODULE PartitionElr3 ---------------------------
(* Three replicas, minIsr 2, ELR: a fence, a shrink and what heals them,   *)
(* and a power loss of the first leader.                                   *)
EXTENDS MCPartition
=============================================================================
