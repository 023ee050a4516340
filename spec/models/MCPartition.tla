---------------------------- MODULE MCPartition ----------------------------
(***************************************************************************)
(* Bounds for Durability.  Every perturbation has a number of its own; a   *)
(* cfg sets all of them.                                                   *)
(***************************************************************************)
EXTENDS Reach

CONSTANTS
    b1, b2, b3,
    Records, Duplicates, Fences, Shrinks, Shutdowns, Elections, MinIsrChanges, Failovers, Losses, Ghosts, Kills,
    PowerLosses, Wipes, Reads, Deletes,
    MaxMetadata,     \* bound on the metadata log
    MaxLeaderEpoch,
    MaxPartitionEpoch

MCAssignment == <<b1, b2, b3>>
MCAssignment2 == <<b1, b2>>
MCBudget == [
    records |-> Records, duplicates |-> Duplicates, fences |-> Fences, shrinks |-> Shrinks, shutdowns |-> Shutdowns,
    elections |-> Elections, minIsrChanges |-> MinIsrChanges, failovers |-> Failovers, losses |-> Losses,
    ghosts |-> Ghosts, kills |-> Kills, powerLosses |-> PowerLosses, wipes |-> Wipes, reads |-> Reads, deletes |-> Deletes]

\* Bounds on healing: safety models only.
Bound ==
    /\ Len(metaLog) <= MaxMetadata
    /\ part.leaderEpoch <= MaxLeaderEpoch
    /\ part.partitionEpoch <= MaxPartitionEpoch

(* After a request is handled, the next step is the sender's, or the loss of the answer. *)
Fused ==
    /\ \A f \in Replicas : fetchResp[f] # Nil => fetchResp'[f] = Nil
    /\ \A l \in Replicas : (apResp[l] # Nil /\ apResp[l].offset <= metaHw) => apResp'[l] = Nil

(* A broker that does not lead learns nothing from a record about a broker or minIsr: it applies it at once.  Nothing *)
(* else that it may do depends on that, so no behaviour of interest is lost.                                          *)
Idle(b) == Alive(b) /\ ~IsLeader(b) /\ applied[b] > 0 /\ applied[b] < metaHw /\ metaLog[applied[b] + 1].type # "partition"
Eager == (\E b \in Replicas : Idle(b)) =>
    LET b == FirstOf({x \in Replicas : Idle(x)}) IN applied' = [applied EXCEPT ![b] = @ + 1]
=============================================================================
