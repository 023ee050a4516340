----------------------------- MODULE MCCluster -----------------------------
(***************************************************************************)
(* Two replicas on nodes of both roles, a third voter; one record, one     *)
(* change of the ISR, one fence and one change of the controller, in any   *)
(* order with what they meet.                                              *)
(***************************************************************************)
EXTENDS Cluster

CONSTANTS n1, n2, n3

TwoReplicas == <<n1, n2>>
Disturbances == [
    records |-> 1, duplicates |-> 0, fences |-> 1, shrinks |-> 1, shutdowns |-> 0, elections |-> 0, minIsrChanges |-> 0,
    failovers |-> 1, losses |-> 0, ghosts |-> 0, kills |-> 0, powerLosses |-> 0, wipes |-> 0, reads |-> 0, deletes |-> 0]

\* Bounds on healing.
Bound == Len(metaLog) <= 5 /\ part.leaderEpoch <= 1 /\ part.partitionEpoch <= 2

\* After a request is handled, the next step is its sender's.
Fused ==
    /\ \A f \in Replicas : fetchResp[f] # Nil => fetchResp'[f] = Nil
    /\ \A l \in Replicas : apResp[l] # Nil /\ apResp[l].offset <= metaHw => apResp'[l] = Nil

(* Must be reachable: an AlterPartition that was appended is gone with its *)
(* controller; a successor commits what its predecessor had appended.      *)
ReachAlterPartitionLost == ~\E n \in Voters \ {controller} : copyEpoch[n] < epoch /\ \E k \in 1..Len(copy[n]) :
    /\ copy[n][k].type = "partition" /\ copy[n][k].last /\ copy[n][k].part.leader = copy[n][k - 1].part.leader
    /\ k > Len(metaLog) \/ metaLog[k] # copy[n][k]
ReachInherited == ~\E n \in Voters \ {controller} : copyEpoch[n] < epoch /\ copy[n] = metaLog /\ Len(metaLog) > metaHw
=============================================================================
