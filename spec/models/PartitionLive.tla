--------------------------- MODULE PartitionLive ---------------------------
(***************************************************************************)
(* What happens in the end.  Faults have budgets and so are over some day; *)
(* what is enabled for good is taken.  Fairness (weak) is stated for each  *)
(* group below; within a group no action can keep another from its turn    *)
(* for ever, as each brings its broker one step further:                   *)
(*                                                                         *)
(*   Living   a broker that is down starts, registers, heartbeats and is   *)
(*            unfenced; the session of one that is gone ends; a shutdown   *)
(*            that began goes on                                           *)
(*   Applying committed metadata is applied                                *)
(*   Settling a follower that has caught up is proposed, the request is    *)
(*            handled, its answer taken                                    *)
(*   Fetching a fetch is handled, each pair of brokers; Answering: its     *)
(*            answer is taken                                              *)
(*   Flushing an fsync is done; Deciding: what is appended is committed,   *)
(*            unclean elections happen where they are enabled              *)
(*                                                                         *)
(* No fairness: producers, operators, lag, and every fault.  Neither state *)
(* nor action constraints here: they would hide what never happens.        *)
(* Unfair names the groups that a mutant neglects.                         *)
(***************************************************************************)
EXTENDS MCPartition

CONSTANT Unfair

Fair(group) == group \notin Unfair

Gone(b) == ~(Alive(b) /\ brokerEpoch[b] = reg[b].epoch)

Living(b) == Fair("Living") /\
    (\/ RestartBroker(b) \/ HandleBrokerRegistration(b) \/ HandleBrokerRegistrationResponse(b)
     \/ HandleBrokerHeartbeat(b, "run") \/ (reg[b].shuttingDown /\ HandleBrokerHeartbeat(b, "shutdown"))
     \/ HandleBrokerHeartbeatResponse(b) \/ (Gone(b) /\ BrokerSessionTimeout(b)))
Applying(b) == Fair("Applying") /\ (ApplyPartitionChange(b) \/ ApplyBrokerChange(b) \/ ApplyMinIsrChange(b))
Settling(l) == Fair("Settling") /\
    (HandleAlterPartition(l) \/ HandleAlterPartitionResponse(l) \/ \E f \in Replicas : ProposeExpandIsr(l, f))
Fetching(l, f) == Fair("Fetching") /\ HandleFetch(l, f)
Answering(f) == Fair("Answering") /\ HandleFetchResponse(f)
Flushing(b) == Fair("Flushing") /\ PersistLog(b)
Deciding == Fair("Deciding") /\ (CommitMetadata \/ UncleanElectionTimeout)

Fairness ==
    /\ \A b \in Replicas : WF_vars(Living(b)) /\ WF_vars(Applying(b)) /\ WF_vars(Settling(b))
    /\ \A b \in Replicas : WF_vars(Answering(b)) /\ WF_vars(Flushing(b))
    /\ \A l \in Replicas, f \in Replicas : WF_vars(Fetching(l, f))
    /\ WF_vars(Deciding)

LiveSpec == Spec /\ Fairness

\* After the faults somebody leads, and knows it.
LeaderElected == <>[](part.leader # Nil /\ IsLeader(part.leader) /\ LeaderEpoch(part.leader) = part.leaderEpoch)

\* A pending ISR change is settled, one way or the other.
HasPending(l) == IF isrState[l] = Nil THEN FALSE ELSE isrState[l].pending # Nil
PendingResolves == (\E l \in Replicas : HasPending(l)) ~> (\A l \in Replicas : ~HasPending(l))

\* An accepted write is answered: acknowledged, or refused by a leader that leads no more.
AcceptedAnswered == (\E l \in Replicas : pendingAcks[l] # {}) ~> (\A l \in Replicas : pendingAcks[l] = {})

\* In the end every replica holds what the leader holds.
FollowersCatchUp == <>[](part.leader # Nil /\ \A b \in Replicas : log[b] = log[part.leader])
=============================================================================
