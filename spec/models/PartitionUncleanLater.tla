------------------------ MODULE PartitionUncleanLater -----------------------
(* Unclean election is asked for by an operator, or switched on while the  *)
(* partition has no leader.                                                *)
EXTENDS MCPartition
=============================================================================
