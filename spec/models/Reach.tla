------------------------------- MODULE Reach -------------------------------
(***************************************************************************)
(* Situations that the models must be able to reach: each is written as    *)
(* the claim that it never happens, which TLC refutes.                     *)
(***************************************************************************)
EXTENDS Durability

\* A replica outside of the ISR becomes leader through the ELR.
ReachElrLeader == [][~(\E b \in Replicas : part'.leader = b /\ part.leader # b /\ b \notin part.isr /\ b \in part.elr
                        /\ part'.recovery = "RECOVERED")]_vars

\* The last known leader is elected: ISR and ELR are empty, unclean election is off.
ReachLastKnownLeader == [][~(UncleanElection = FALSE /\ part.isr = {} /\ part.elr = {} /\ part.leader = Nil /\ part'.leader # Nil)]_vars

\* A fence changes the partition while an expansion is on its way to the controller, which then refuses it.
ReachExpansionOvertaken == [][~(\E l \in Replicas :
    /\ isrState[l] # Nil /\ isrState[l].pending # Nil /\ ~isrState[l].pending.isr \subseteq isrState[l].isr
    /\ LeaderEpoch(l) = part.leaderEpoch /\ apResp[l] = Nil
    /\ part.partitionEpoch = isrState[l].partitionEpoch /\ part'.partitionEpoch > part.partitionEpoch
    /\ part'.leader = l /\ apResp'[l] = Nil)]_vars

\* An AlterPartition is appended and lost with the controller, while its leader waits.
ReachAlterPartitionLost == [][~(\E l \in Replicas :
    /\ isrState[l] # Nil /\ isrState[l].pending # Nil /\ apResp[l] # Nil /\ apResp[l].error = "NONE"
    /\ apResp'[l] = Nil /\ Len(metaLog') < Len(metaLog) /\ isrState'[l] = isrState[l])]_vars

\* A follower truncates below its own high watermark, though nothing visible is lost.
ReachTruncationBelowHw == [][~(\E f \in Replicas :
    up[f] = "running" /\ up'[f] = "running" /\ Len(log'[f]) < hw[f])]_vars

\* Two leaders are alive in different epochs, and both hold records of their own.
ReachTwoLeaders == ~\E a \in Replicas, b \in Replicas :
    /\ a # b /\ IsLeader(a) /\ IsLeader(b)
    /\ Len(log[a]) > epochStart[a] /\ Len(log[b]) > epochStart[b]

\* The high watermark stands below a record that the leader and the whole ISR hold, since the ISR is below minIsr.
ReachFrozenHw == ~\E l \in Replicas :
    /\ IsLeader(l) /\ Cardinality(isrState[l].isr) < AppliedImage(l).minIsr
    /\ hw[l] < Len(log[l]) /\ pendingAcks[l] # {}
    /\ \A f \in isrState[l].isr \ {l} : follower[l][f].offset = Len(log[l])

\* A fetch of a previous life arrives while the broker lives again, and is refused.
ReachGhostOfPreviousLife == [][~(\E g \in ghosts :
    /\ g.type = "fetch" /\ ghosts' = {} /\ IsLeader(g.to) /\ Alive(g.from)
    /\ brokerEpoch[g.from] > g.brokerEpoch /\ follower' = follower)]_vars

\* An accepted record is acknowledged.
ReachAcknowledged == acked = {}

\* A replica that was outside of the ISR joins it.
ReachJoined == [][~(Cardinality(part'.isr) > Cardinality(part.isr) /\ part'.leaderEpoch = part.leaderEpoch)]_vars
=============================================================================
