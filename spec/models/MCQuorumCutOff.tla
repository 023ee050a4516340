--------------------------- MODULE MCQuorumCutOff ---------------------------
(***************************************************************************)
(* Liveness: n1 leads and is cut off from everybody for ever, the others   *)
(* elect another leader. n1 does not lead for ever. Fairness: its          *)
(* check-quorum timer runs out (weak).                                     *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.timeout = 2, !.resign = 1]

CONSTANT n1
Others == Node \ {n1}
Reached ==
    \/ CheckQuorumTimeout(n1) \/ PersistMetadata(n1) \/ AppendMetadata(n1)
    \/ \E v \in Others : ElectionTimeout(v) \/ FetchTimeout(v) \/ PersistMetadata(v) \/ HandleMetadataFetchResponse(v)
    \/ \E v, w \in Others :
        \/ HandleVoteRequest(v, w) \/ HandleVoteResponse(v, w) \/ HandleBeginQuorumEpoch(v, w) \/ HandleMetadataFetch(v, w)
CutOff == Led(n1, Controller) /\ [][Reached]_vars /\ WF_vars(CheckQuorumTimeout(n1))

(* A leader that nobody can reach leaves.                                  *)
LeavesAtLast == (role[n1] = "Leader") ~> (role[n1] # "Leader")
=============================================================================
