----------------------------- MODULE Durability ----------------------------
(***************************************************************************)
(* What the product promises, as invariants over Partition: each with the  *)
(* sentence that a user would read.  Java: the classes of the same names'  *)
(* checks in core.partition.PartitionInvariants, core.controller           *)
(* .ControllerInvariants and simulation.Invariants.                        *)
(***************************************************************************)
EXTENDS Partition

-----------------------------------------------------------------------------
(* Promises *)

(* The process that the controller knows as b still runs, so that b can act on being elected. *)
Present(img, b) == Alive(b) /\ brokerEpoch[b] = img.reg[b].epoch

(* Whoever the controller may elect without asking for an unclean election, now or after losing its uncommitted tail. *)
Electable(b) == \E i \in metaHw..Len(metaLog) :
    Present(metaLog[i], b) /\ b \in metaLog[i].part.isr \cup metaLog[i].part.elr

\* Every replica that may be elected cleanly holds every record that was ever visible to consumers.
ElectableComplete == \A b \in Replicas : Electable(b) =>
    \A e \in committed : e.offset >= logStart[b] => Holds(log[b], e)

\* A record that its producer was told is safe is in the log of whoever leads.
AckedDurable == LET l == part.leader IN
    (l # Nil /\ Present(Image, l)) => \A e \in acked : e.offset >= logStart[l] => Holds(log[l], e)

\* A record is told safe with acks=all once it is below the leader's high watermark.
AckedCommitted == Acks = {"all"} => acked \subseteq committed

\* What a consumer has read at an offset, every consumer reads there.
ReadsRepeatable == \A e1 \in exposed, e2 \in exposed : e1.offset = e2.offset => e1 = e2

\* Consumers read only what the leader's high watermark has passed.
ExposedCommitted == exposed \subseteq committed

-----------------------------------------------------------------------------
(* Logs *)

\* Two logs that hold a record of one epoch at one offset are equal up to it.
LogMatching == \A a \in Replicas, b \in Replicas : LogsMatch(log[a], log[b])

\* Below both high watermarks two replicas hold the same.
NoDivergenceBelowHw == \A a \in Replicas, b \in Replicas :
    \A i \in 1..Min(hw[a], hw[b]) :
        i > Max(logStart[a], logStart[b]) => log[a][i] = log[b][i]

\* The epochs of a log never fall.
EpochsAscend == \A b \in Replicas : \A i \in 2..Len(log[b]) : log[b][i - 1].epoch <= log[b][i].epoch

\* The high watermark lies within the log.
HwWithinLog == \A b \in Replicas : logStart[b] <= hw[b] /\ hw[b] <= Len(log[b])

\* What is fsynced lies within the log.
FlushedWithinLog == \A b \in Replicas : flushed[b] <= Len(log[b])

-----------------------------------------------------------------------------
(* Leaders and the ISR *)

\* In one leader epoch at most one broker leads.
OneLeaderPerEpoch == \A a \in Replicas, b \in Replicas :
    (IsLeader(a) /\ IsLeader(b) /\ LeaderEpoch(a) = LeaderEpoch(b)) => a = b

\* A leader counts on everyone whom the controller holds in sync: its maximal ISR is never smaller than the real one.
IsrSuperset == \A l \in Replicas :
    (IsLeader(l) /\ LeaderEpoch(l) = part.leaderEpoch /\ Present(Image, l)) => part.isr \subseteq MaximalIsr(isrState[l])

\* Who leads is in the ISR.
LeaderInIsr == part.leader # Nil => part.leader \in part.isr

\* Who leads is registered, unfenced and not shutting down.
LeadersActive == part.leader # Nil => Active(Image, part.leader)

\* So is every member of the ISR, but the last of a leaderless partition, which stays without ELR.
IsrActive == \A b \in part.isr : Active(Image, b) \/ (~ElrEnabled /\ part.leader = Nil)

\* No replica is in both ISR and ELR, and an ISR of at least minIsr has no ELR beside it.
IsrElrDisjoint == part.isr \cap part.elr = {}
ElrOnlyBelowMinIsr == part.elr # {} => Cardinality(part.isr) < minIsr

\* Without ELR the last member of the ISR stays in it.
IsrNeverEmptyWithoutElr == ~ElrEnabled => part.isr # {} /\ part.elr = {}

\* A leader's pending change holds itself; it begins its epoch within its log, and acknowledges only what waits above its HW.
LeaderStateOk == \A l \in Replicas : IsLeader(l) =>
    /\ Alive(l) /\ LeaderOf(l) = l
    /\ l \in MaximalIsr(isrState[l])
    /\ epochStart[l] >= 0 /\ epochStart[l] <= Len(log[l])
AcksOnlyByLeader == \A b \in Replicas : pendingAcks[b] # {} => IsLeader(b)
FetchOnlyByFollower == \A b \in Replicas : fetchResp[b] # Nil => (Alive(b) /\ IsFollower(b))

-----------------------------------------------------------------------------
(* Steps *)

\* A leader's high watermark never falls within its epoch.
HwMonotone == [][\A l \in Replicas :
    (IsLeader(l) /\ epochStart[l] = epochStart'[l] /\ isrState'[l] # Nil) => hw'[l] >= hw[l]]_vars

\* Leader epochs and partition epochs rise with the metadata log, broker epochs too.
EpochsMonotone == \A i \in 2..Len(metaLog) :
    LET old == metaLog[i - 1]  new == metaLog[i]
    IN /\ new.part.leaderEpoch >= old.part.leaderEpoch /\ new.part.partitionEpoch >= old.part.partitionEpoch
       /\ (new.part # old.part) <=> (new.part.partitionEpoch > old.part.partitionEpoch)
       /\ (new.part.leader # old.part.leader) <=> (new.part.leaderEpoch > old.part.leaderEpoch)
       /\ \A b \in Replicas : new.reg[b].epoch >= old.reg[b].epoch

\* What a broker has applied never falls while it lives.
AppliedAscends == [][\A b \in Replicas :
    (up[b] # "down" /\ up'[b] # "down" /\ incarnation[b] = incarnation'[b]) => applied'[b] >= applied[b]]_vars

\* A record is accepted for acks=all only where the ISR has minIsr members.
NoAppendBelowMinIsr == [][\A l \in Replicas : isrState[l] # Nil =>
    \A a \in pendingAcks'[l] \ pendingAcks[l] :
        a.acks = "all" => Cardinality(isrState[l].isr) >= AppliedImage(l).minIsr]_vars

\* The high watermark never leaves a caught-up replica behind that is about to join: else it would never join under load.
HwWaitsForJoining == [][\A l \in Replicas : (isrState[l] # Nil /\ hw'[l] > hw[l]) =>
    \A f \in Replicas \ {l} :
        LET known == follower'[l][f]  img == metaLog[applied'[l]]
        IN (known.caughtUp /\ Active(img, f) /\ known.brokerEpoch = img.reg[f].epoch) => known.offset >= hw'[l]]_vars

\* No process takes the place of another whose session lives.
OneLifePerSession == [][\A b \in Replicas : reg'[b].incarnation # reg[b].incarnation => reg[b].fenced]_vars

\* An eligible replica is elected only where no member of the ISR is left.
ElrOnlyWhenIsrEmpty == [][
    LET l == part'.leader
    IN (part'.leaderEpoch > part.leaderEpoch /\ l \in part.elr) =>
        \A b \in part.isr \ {l} : ~Active(metaLog'[Len(metaLog')], b)]_vars

\* The requests that this step lets change the ISR.
ChangingIsr == IF part' = part THEN {} ELSE
    {AlterPartitionRequest(l) : l \in {a \in Replicas :
        IsLeader(a) /\ isrState[a].pending # Nil /\ apResp[a] = Nil /\ apResp'[a] # Nil}}
    \cup {g \in ghosts : g.type = "alterPartition" /\ ghosts' = {}}

\* A leader changes the ISR only while it leads the present epoch.
IsrByPresentLeader == [][\A r \in ChangingIsr : r.leaderEpoch = part.leaderEpoch]_vars

\* Only the life that is registered changes the ISR.
IsrByPresentLife == [][\A r \in ChangingIsr : r.brokerEpoch = reg[r.from].epoch]_vars

\* A leader of an earlier epoch is told that it is one.
DeposedAreTold == [][\A l \in Replicas :
    (apResp[l] = Nil /\ apResp'[l] # Nil /\ LeaderEpoch(l) < part.leaderEpoch) =>
        apResp'[l].error = "FENCED_LEADER_EPOCH"]_vars

\* A leader asks for nobody whom it knows to live another life by now.
AsksForThePresent == [][\A l \in Replicas :
    (isrState[l] # Nil /\ isrState[l].pending = Nil /\ isrState'[l] # Nil /\ isrState'[l].pending # Nil) =>
        \A f \in isrState'[l].pending.isr \ isrState[l].isr :
            isrState'[l].pending.epochs[f] = AppliedImage(l).reg[f].epoch]_vars

\* A follower takes only answers that the leader of its present epoch gave.
TakesOfThisEpoch == [][\A f \in Replicas :
    (fetchResp[f] # Nil /\ fetchResp'[f] = Nil /\ <<log'[f], hw'[f]>> # <<log[f], hw[f]>> /\ up'[f] = up[f]) =>
        fetchResp[f].asked.leaderEpoch = LeaderEpoch(f)]_vars

-----------------------------------------------------------------------------
TypeOk ==
    /\ metaHw \in 1..Len(metaLog)
    /\ up \in [Replicas -> {"down", "starting", "recovery", "running"}]
    /\ incarnation \in [Replicas -> Nat] /\ applied \in [Replicas -> Nat]
    /\ \A b \in Replicas :
         /\ brokerEpoch[b] = Nil \/ brokerEpoch[b] \in Nat
         /\ applied[b] <= metaHw
         /\ log[b] \in Seq([epoch : Int, id : Nat])
         /\ (isrState[b] = Nil) = (epochStart[b] = Nil) /\ (isrState[b] = Nil) = (follower[b] = Nil)
         /\ isrState[b] # Nil => isrState[b].isr \subseteq Replicas /\ isrState[b].partitionEpoch \in Nat
    /\ part.leader \in Replicas \cup {Nil}
    /\ part.isr \subseteq Replicas /\ part.elr \subseteq Replicas /\ part.lastKnownElr \in Replicas \cup {Nil}
    /\ part.recovery \in {"RECOVERED", "RECOVERING"}
    /\ Cardinality(ghosts) <= 1
    /\ \A k \in DOMAIN budget : budget[k] \in 0..Budget[k]
=============================================================================
