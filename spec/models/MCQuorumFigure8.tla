-------------------------- MODULE MCQuorumFigure8 ---------------------------
(***************************************************************************)
(* Two elections from logs that part. First start, Raft's figure 8: n1 led *)
(* epoch 1 and n2 epoch 2, both alone with their record; an answer carries *)
(* one record. Second start, as before KIP-101: n2 has the record of epoch *)
(* 1, which is committed, and led epoch 2 after it.                        *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2]

CONSTANTS n1, n2, n3

Alone   == (n1 :> <<LeaderRecord(1)>>) @@ (n2 :> <<LeaderRecord(2)>>) @@ (n3 :> <<>>)
Parting == (n1 :> <<LeaderRecord(1)>>) @@ (n2 :> <<LeaderRecord(1), LeaderRecord(2)>>) @@ (n3 :> <<>>)

Start == At(Alone, 3, <<>>) \/ At(Parting, 3, <<[rec |-> LeaderRecord(1), by |-> 1]>>)
FromStart == Start /\ [][Next]_vars
=============================================================================
