-------------------------- MODULE PartitionUnclean --------------------------
(* Unclean elections: records may be lost, but logs agree and one broker   *)
(* leads an epoch.                                                         *)
EXTENDS MCPartition
=============================================================================
