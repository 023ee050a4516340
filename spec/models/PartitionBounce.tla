--------------------------- MODULE PartitionBounce --------------------------
(* A replica that is about to join loses power and returns with less, its  *)
(* ISR change on the way.                                                  *)
EXTENDS MCPartition
=============================================================================
