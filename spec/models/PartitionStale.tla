--------------------------- MODULE PartitionStale ---------------------------
(* Leadership moves twice; fetches and answers of older epochs arrive      *)
(* late.  It starts where b3 holds the record of the leader b2, and b1,    *)
(* the preferred leader, does not.                                         *)
EXTENDS PartitionFrom

FromHeldByTwo == From(b2, b1 :> <<>> @@ b2 :> Wrote(1) @@ b3 :> Wrote(1), {b3}) /\ [][Next]_vars
=============================================================================
