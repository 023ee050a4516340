------------------------------ MODULE Cluster ------------------------------
(***************************************************************************)
(* A whole cluster: the metadata log that partition and controller stand   *)
(* on is kept by a quorum of nodes, its committed prefix is the partition's *)
(* metadata, and a decision that was appended can be lost with its         *)
(* controller: the log of the next one is that of the voter that was       *)
(* elected, not a prefix of choice (MetaLog alone allows any).             *)
(*                                                                         *)
(* The quorum is that of module Quorum with elections in one step and      *)
(* copies of the whole log: a voter that has fetched from the leader of an *)
(* epoch has all of its log, on disk.  Votes follow Quorum's rule (last    *)
(* epoch, then length), commits its own-epoch rule.                        *)
(*                                                                         *)
(* Left out: what Quorum says of votes, disks and crashes of voters, and   *)
(* an old controller that goes on: what it appends is never committed.     *)
(***************************************************************************)
EXTENDS State

CONSTANTS
    Voters,           \* nodes of the quorum; brokers may be among them
    InitialController

VARIABLES
    controller,  \* the voter that leads the quorum: metaLog is its log
    epoch,       \* its epoch
    copy,        \* copy[n]: the log of another voter
    copyEpoch    \* copyEpoch[n]: epoch of the last record of that log: of the leader that it was fetched from

quorum == <<controller, epoch, copy, copyEpoch>>
allVars == <<vars, quorum>>

P == INSTANCE Durability

ClusterInit ==
    /\ Init
    /\ controller = InitialController
    /\ epoch = 1
    /\ copy = [n \in Voters |-> IF n = InitialController THEN <<>> ELSE metaLog]
    /\ copyEpoch = [n \in Voters |-> 1]

-----------------------------------------------------------------------------
(* The quorum *)

Elsewhere == <<brokerVars, applied, logVars, leaderVars, ackVars, exposed>>

(* HandleMetadataFetchResponse, by the voter n: it now has the controller's log; what it had beside it is cut off.      *)
HandleMetadataFetchResponse(n) ==
    /\ n # controller
    /\ copy[n] # metaLog \/ copyEpoch[n] # epoch
    /\ copy' = [copy EXCEPT ![n] = metaLog]
    /\ copyEpoch' = [copyEpoch EXCEPT ![n] = epoch]
    /\ UNCHANGED <<metaVars, controller, epoch, netVars, budget, Elsewhere>>

\* Who holds the first k records of the controller's log, its LeaderChange among them.
Holders(k) == {controller} \cup {n \in Voters \ {controller} : copyEpoch[n] = epoch /\ Len(copy[n]) >= k}
Majority(S) == 2 * Cardinality(S) > Cardinality(Voters)

(* HandleMetadataFetch, by the controller, from the voter n: what a majority holds is committed.                        *)
HandleMetadataFetch(n) ==
    /\ n # controller /\ copyEpoch[n] = epoch /\ Len(copy[n]) > metaHw
    /\ Majority(Holders(Len(copy[n])))
    /\ metaHw' = Len(copy[n])
    /\ UNCHANGED <<metaLog, quorum, netVars, budget, Elsewhere>>

LastEpochOf(n) == IF n = controller THEN epoch ELSE copyEpoch[n]
LengthOf(n) == IF n = controller THEN Len(metaLog) ELSE Len(copy[n])
UpToDate(n, m) == \/ LastEpochOf(n) > LastEpochOf(m)
                  \/ LastEpochOf(n) = LastEpochOf(m) /\ LengthOf(n) >= LengthOf(m)

(* HandleVoteResponse, by the voter n: it is elected by a majority whose logs are not ahead of its own. Its log is the  *)
(* metadata log now. What waited for the old controller's commits is not answered.                                      *)
HandleVoteResponse(n) ==
    /\ n # controller
    /\ SpendOne("failovers")
    /\ Majority({m \in Voters : UpToDate(n, m) \/ ~On("vote-up-to-date")})
    /\ controller' = n
    /\ epoch' = epoch + 1
    /\ metaLog' = copy[n]
    /\ copy' = [copy EXCEPT ![controller] = metaLog, ![n] = <<>>]
    /\ copyEpoch' = [copyEpoch EXCEPT ![controller] = epoch, ![n] = epoch + 1]
    /\ apResp' = [l \in Replicas |-> IF apResp[l] # Nil /\ apResp[l].offset > metaHw THEN Nil ELSE apResp[l]]
    /\ UNCHANGED <<metaHw, fetchResp, ghosts, Elsewhere>>

-----------------------------------------------------------------------------
(* Controller and partition: as in their modules.  CommitMetadata and      *)
(* LoseUncommitted are what the quorum does.                               *)

HandleBrokerRegistration(b)         == P!HandleBrokerRegistration(b) /\ UNCHANGED quorum
HandleBrokerRegistrationResponse(b) == P!HandleBrokerRegistrationResponse(b) /\ UNCHANGED quorum
HandleBrokerHeartbeat(b, want)      == P!HandleBrokerHeartbeat(b, want) /\ UNCHANGED quorum
HandleBrokerHeartbeatResponse(b)    == P!HandleBrokerHeartbeatResponse(b) /\ UNCHANGED quorum
BrokerSessionTimeout(b)             == P!BrokerSessionTimeout(b) /\ UNCHANGED quorum
HandleAlterPartition(l)             == P!HandleAlterPartition(l) /\ UNCHANGED quorum
HandleElectLeaders(mode)            == P!HandleElectLeaders(mode) /\ UNCHANGED quorum
PreferredLeaderTimeout              == P!PreferredLeaderTimeout /\ UNCHANGED quorum
UncleanElectionTimeout              == P!UncleanElectionTimeout /\ UNCHANGED quorum
HandleAlterMinIsr(n)                == P!HandleAlterMinIsr(n) /\ UNCHANGED quorum
HandleProduce(l, acks, id)          == P!HandleProduce(l, acks, id) /\ UNCHANGED quorum
PersistLog(b)                       == P!PersistLog(b) /\ UNCHANGED quorum
HandleFetch(l, f)                   == P!HandleFetch(l, f) /\ UNCHANGED quorum
HandleFetchResponse(f)              == P!HandleFetchResponse(f) /\ UNCHANGED quorum
ProposeExpandIsr(l, f)              == P!ProposeExpandIsr(l, f) /\ UNCHANGED quorum
ReplicaLagTimeout(l, S)             == P!ReplicaLagTimeout(l, S) /\ UNCHANGED quorum
HandleAlterPartitionResponse(l)     == P!HandleAlterPartitionResponse(l) /\ UNCHANGED quorum
ApplyPartitionChange(b)             == P!ApplyPartitionChange(b) /\ UNCHANGED quorum
ApplyBrokerChange(b)                == P!ApplyBrokerChange(b) /\ UNCHANGED quorum
ApplyMinIsrChange(b)                == P!ApplyMinIsrChange(b) /\ UNCHANGED quorum
ConsumerRead(b)                     == P!ConsumerRead(b) /\ UNCHANGED quorum
DeleteRecords(l, offset)            == P!DeleteRecords(l, offset) /\ UNCHANGED quorum
RetentionTimeout(l)                 == P!RetentionTimeout(l) /\ UNCHANGED quorum
KillProcess(b)                      == P!KillProcess(b) /\ UNCHANGED quorum
PowerLoss(b, k)                     == P!PowerLoss(b, k) /\ UNCHANGED quorum
WipeDisk(b)                         == P!WipeDisk(b) /\ UNCHANGED quorum
RestartBroker(b)                    == P!RestartBroker(b) /\ UNCHANGED quorum
LoseMessage(b, kind)                == P!LoseMessage(b, kind) /\ UNCHANGED quorum
DeliverGhost                        == P!DeliverGhost /\ UNCHANGED quorum

-----------------------------------------------------------------------------
ClusterNext ==
    \/ \E n \in Voters : HandleMetadataFetchResponse(n)
    \/ \E n \in Voters : HandleMetadataFetch(n)
    \/ \E n \in Voters : HandleVoteResponse(n)
    \/ \E b \in Replicas : HandleBrokerRegistration(b)
    \/ \E b \in Replicas : HandleBrokerRegistrationResponse(b)
    \/ \E b \in Replicas, want \in {"run", "shutdown"} : HandleBrokerHeartbeat(b, want)
    \/ \E b \in Replicas : HandleBrokerHeartbeatResponse(b)
    \/ \E b \in Replicas : BrokerSessionTimeout(b)
    \/ \E l \in Replicas : HandleAlterPartition(l)
    \/ \E mode \in {"PREFERRED", "UNCLEAN"} : HandleElectLeaders(mode)
    \/ PreferredLeaderTimeout
    \/ UncleanElectionTimeout
    \/ \E n \in P!MinIsrs : HandleAlterMinIsr(n)
    \/ \E l \in Replicas, acks \in Acks, id \in P!Ids : HandleProduce(l, acks, id)
    \/ \E b \in Replicas : PersistLog(b)
    \/ \E l \in Replicas, f \in Replicas : HandleFetch(l, f)
    \/ \E f \in Replicas : HandleFetchResponse(f)
    \/ \E l \in Replicas, f \in Replicas : ProposeExpandIsr(l, f)
    \/ \E l \in Replicas, S \in SUBSET Replicas : ReplicaLagTimeout(l, S)
    \/ \E l \in Replicas : HandleAlterPartitionResponse(l)
    \/ \E b \in Replicas : ApplyPartitionChange(b)
    \/ \E b \in Replicas : ApplyBrokerChange(b)
    \/ \E b \in Replicas : ApplyMinIsrChange(b)
    \/ \E b \in Replicas : ConsumerRead(b)
    \/ \E l \in Replicas, offset \in P!Ids : DeleteRecords(l, offset)
    \/ \E l \in Replicas : RetentionTimeout(l)
    \/ \E b \in Replicas : KillProcess(b)
    \/ \E b \in Replicas, k \in {0} \cup P!Ids : PowerLoss(b, k)
    \/ \E b \in Replicas : WipeDisk(b)
    \/ \E b \in Replicas : RestartBroker(b)
    \/ \E b \in Replicas, kind \in {"fetch", "alterPartition", "delay"} : LoseMessage(b, kind)
    \/ DeliverGhost

ClusterSpec == ClusterInit /\ [][ClusterNext]_allVars

-----------------------------------------------------------------------------
(* Every voter's log, and so the next controller's, holds what is committed, if it may be elected.                      *)
CommittedSurvives == \A n \in Voters \ {controller} :
    Majority({m \in Voters : UpToDate(n, m)}) =>
        Len(copy[n]) >= metaHw /\ SubSeq(copy[n], 1, metaHw) = SubSeq(metaLog, 1, metaHw)

\* To controller and partition all this is a metadata log.
RefinesMetaLog == [][MetaNext \/ MetaReplace]_metaVars

\* What the partition promises, here with a quorum under it.
ElectableComplete == P!ElectableComplete
AckedDurable == P!AckedDurable
LogMatching == P!LogMatching
NoDivergenceBelowHw == P!NoDivergenceBelowHw
OneLeaderPerEpoch == P!OneLeaderPerEpoch
IsrSuperset == P!IsrSuperset
LeadersActive == P!LeadersActive
=============================================================================
