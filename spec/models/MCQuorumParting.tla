-------------------------- MODULE MCQuorumParting ---------------------------
(***************************************************************************)
(* Logs that part, as before KIP-101: n1 and n2 have the committed record  *)
(* of epoch 1, n2 led epoch 2 after it. Two elections.                     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2]

CONSTANTS n1, n2, n3

Parting == (n1 :> <<LeaderRecord(1)>>) @@ (n2 :> <<LeaderRecord(1), LeaderRecord(2)>>) @@ (n3 :> <<>>)
FromParting == At(Parting, 3, <<[rec |-> LeaderRecord(1), by |-> 1]>>) /\ [][Next]_vars
=============================================================================
