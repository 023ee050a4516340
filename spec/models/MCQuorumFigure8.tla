-------------------------- MODULE MCQuorumFigure8 ---------------------------
(***************************************************************************)
(* Raft's figure 8: n1 led epoch 1 and n2 epoch 2, both alone with their   *)
(* record. Two elections; an answer carries one record, and one is lost.   *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2, !.lose = 1]

CONSTANTS n1, n2, n3

Alone == (n1 :> <<LeaderRecord(1)>>) @@ (n2 :> <<LeaderRecord(2)>>) @@ (n3 :> <<>>)
FromAlone == At(Alone, 3, <<>>) /\ [][Next]_vars
=============================================================================
