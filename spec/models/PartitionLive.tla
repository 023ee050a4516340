--------------------------- MODULE PartitionLive ---------------------------
(***************************************************************************)
(* What happens in the end.  Faults have budgets and so are over some day; *)
(* everything else that is enabled for good is taken, action by action:    *)
(*                                                                         *)
(*  - requests are handled and answered, fetches are sent again and again; *)
(*  - committed metadata is applied, and what is appended is committed;    *)
(*  - brokers that are down start, register and heartbeat; the session of  *)
(*    one that is gone ends; a shutdown that began goes on;                *)
(*  - a follower that has caught up is proposed; fsyncs are done; unclean  *)
(*    elections happen where they are enabled.                             *)
(*                                                                         *)
(* No fairness: producers, operators, lag, and every fault.  Neither state *)
(* nor action constraints here: they would hide what never happens.        *)
(* Unfair names the actions that a mutant neglects.                        *)
(***************************************************************************)
EXTENDS MCPartition

CONSTANT Unfair

Fair(name, A) == WF_vars(name \notin Unfair /\ A)

Gone(b) == ~(Alive(b) /\ brokerEpoch[b] = reg[b].epoch)

Fairness ==
    /\ \A b \in Replicas :
        /\ Fair("RestartBroker", RestartBroker(b))
        /\ Fair("HandleBrokerRegistration", HandleBrokerRegistration(b))
        /\ Fair("HandleBrokerRegistrationResponse", HandleBrokerRegistrationResponse(b))
        /\ Fair("HandleBrokerHeartbeat", HandleBrokerHeartbeat(b, "run"))
        /\ Fair("HandleBrokerHeartbeat", reg[b].shuttingDown /\ HandleBrokerHeartbeat(b, "shutdown"))
        /\ Fair("HandleBrokerHeartbeatResponse", HandleBrokerHeartbeatResponse(b))
        /\ Fair("BrokerSessionTimeout", Gone(b) /\ BrokerSessionTimeout(b))
        /\ Fair("HandleAlterPartition", HandleAlterPartition(b))
        /\ Fair("HandleAlterPartitionResponse", HandleAlterPartitionResponse(b))
        /\ Fair("PersistLog", PersistLog(b))
        /\ Fair("HandleFetchResponse", HandleFetchResponse(b))
        /\ Fair("ApplyPartitionChange", ApplyPartitionChange(b))
        /\ Fair("ApplyBrokerChange", ApplyBrokerChange(b))
        /\ Fair("ApplyMinIsrChange", ApplyMinIsrChange(b))
        /\ \A f \in Replicas : Fair("HandleFetch", HandleFetch(b, f)) /\ Fair("ProposeExpandIsr", ProposeExpandIsr(b, f))
    /\ Fair("CommitMetadata", CommitMetadata)
    /\ Fair("UncleanElectionTimeout", UncleanElectionTimeout)

LiveSpec == Spec /\ Fairness

\* After the faults somebody leads, and knows it.
LeaderElected == <>[](part.leader # Nil /\ IsLeader(part.leader) /\ LeaderEpoch(part.leader) = part.leaderEpoch)

\* A pending ISR change is settled, one way or the other.
HasPending(l) == IF isrState[l] = Nil THEN FALSE ELSE isrState[l].pending # Nil
PendingResolves == \A l \in Replicas : HasPending(l) ~> ~HasPending(l)

\* An accepted write is answered: acknowledged, or refused by a leader that leads no more.
AcceptedAnswered == \A l \in Replicas : (pendingAcks[l] # {}) ~> (pendingAcks[l] = {})

\* In the end every replica holds what the leader holds.
FollowersCatchUp == <>[](part.leader # Nil /\ \A b \in Replicas : log[b] = log[part.leader])
=============================================================================
