----------------------------- MODULE Partition -----------------------------
(***************************************************************************)
(* A replicated partition: leaders append, followers fetch and truncate by *)
(* epoch (KIP-101, 279, 320), the leader keeps the ISR and the high        *)
(* watermark (KIP-497, 966), producers are acknowledged, brokers crash.    *)
(* Java: core.partition.PartitionCore and what it calls.                   *)
(*                                                                         *)
(* An RPC is two actions, at the receiver and at the sender.  A process    *)
(* that is killed keeps its log (page cache); a power loss leaves any      *)
(* prefix that holds what was fsynced.  What a restarted broker did not    *)
(* write down is gone; its high watermark starts from the log start, as    *)
(* from an old checkpoint.                                                 *)
(*                                                                         *)
(* Left out: what State leaves out; a partial fetch answer (an answer      *)
(* holds all that the leader has); a fetch before the broker knows its own *)
(* epoch.                                                                  *)
(***************************************************************************)
EXTENDS Controller

-----------------------------------------------------------------------------
(* Rules. Java: HwRule, AckRule. *)

(* Every ISR from the record that l has applied to the one that it knows by an answer: the controller decided those    *)
(* by a minIsr that l may not have applied yet.                                                                        *)
AppliedIsrs(i, st) == UNION {metaLog[j].part.isr : j \in
    {k \in i..Len(metaLog) : metaLog[k].part.partitionEpoch <= st.partitionEpoch}}

(* HwRule: the least log end among the leader, the maximal ISR, who left the ISR by an answer that is not applied, and *)
(* caught-up replicas about to join; it stands while the committed ISR is below minIsr, and never falls. l has applied *)
(* the first i records of the metadata log; end is how much of its own log counts.                                     *)
HwRule(l, i, st, followers, end) ==
    LET img == metaLog[i]
        members == IF On("hw-maximal-isr") THEN MaximalIsr(st)
                   ELSE IF st.pending = Nil THEN st.isr ELSE st.isr \cap st.pending.isr
        joining == {f \in Replicas : /\ TrackLag /\ On("hw-joining")
                                     /\ followers[f].caughtUp /\ Active(img, f)
                                     /\ followers[f].brokerEpoch = img.reg[f].epoch}
        waits == (members \cup joining \cup IF On("hw-applied-isr") THEN AppliedIsrs(i, st) ELSE {}) \ {l}
        lowest == MinOf({end} \cup {followers[f].offset : f \in waits})
    IN IF On("hw-min-isr") /\ Cardinality(st.isr) < img.minIsr THEN hw[l] ELSE Max(hw[l], lowest)

(* AckRule: what a produce request is answered, before the append (required is then beyond every offset) and after it. *)
AckRule(a, i, st, h, durable) ==
    CASE a.acks = "all" ->
           IF On("min-isr-append") /\ Cardinality(st.isr) < metaLog[i].minIsr THEN "REFUSE"
           ELSE IF ~On("ack-after-hw") \/ (h >= a.required /\ Cardinality(MaximalIsr(st)) >= metaLog[i].minIsr)
                THEN "ACK" ELSE "WAIT"
      [] a.acks = "1" -> IF ~FlushEveryMessage \/ durable >= a.required THEN "ACK" ELSE "WAIT"
      [] a.acks = "0" -> "WAIT"  \* promises nothing: there is no answer

(* After every step of a leader: its high watermark, and the acknowledgements that it sets free. *)
Advance(l, i, st, followers, lg, durable, waiting) ==
    LET h == HwRule(l, i, st, followers, IF FlushEveryMessage THEN durable ELSE Len(lg))
        done == {a \in waiting : AckRule(a, i, st, h, durable) = "ACK"}
    IN /\ hw' = [hw EXCEPT ![l] = h]
       /\ pendingAcks' = [pendingAcks EXCEPT ![l] = waiting \ done]
       /\ acked' = acked \cup {[offset |-> a.entry.offset, epoch |-> a.entry.epoch, id |-> a.entry.id] : a \in done}
       /\ committed' = committed \cup Entries(lg, h)

\* With l's own state but for what the step changes.
AdvanceSame(l, i, st, followers) == Advance(l, i, st, followers, log[l], flushed[l], pendingAcks[l])

-----------------------------------------------------------------------------
(* The leader *)

Ids == 1..(InitialRecords + Budget.records)
NextId == InitialRecords + Budget.records - budget.records + 1

(* HandleProduce, by a leader: the record is appended, or, if it is a retry of one that the log holds, only answered.  *)
(* acks=all is refused while the committed ISR is below minIsr.                                                        *)
HandleProduce(l, acks, id) ==
    /\ IsLeader(l)
    /\ AckRule([acks |-> acks, required |-> 1000], applied[l], isrState[l], hw[l], flushed[l]) # "REFUSE"
    /\ \/ /\ id = NextId /\ SpendOne("records")
          /\ LET record == [epoch |-> LeaderEpoch(l), id |-> id]
                 lg == Append(log[l], record)
                 asked == [acks |-> acks, required |-> Len(lg),
                           entry |-> [offset |-> Len(lg) - 1, epoch |-> record.epoch, id |-> id]]
             IN /\ log' = [log EXCEPT ![l] = lg]
                /\ Advance(l, applied[l], isrState[l], follower[l], lg, flushed[l],
                           pendingAcks[l] \cup IF acks = "0" THEN {} ELSE {asked})
       \/ /\ SpendOne("duplicates")
          /\ \E i \in (logStart[l] + 1)..Len(log[l]) :
                /\ log[l][i].id = id
                /\ LET asked == [acks |-> acks, required |-> IF On("ack-duplicate-after-hw") THEN i ELSE 0,
                                 entry |-> [offset |-> i - 1, epoch |-> log[l][i].epoch, id |-> id]]
                   IN Advance(l, applied[l], isrState[l], follower[l], log[l], flushed[l],
                              pendingAcks[l] \cup IF acks = "0" THEN {} ELSE {asked})
          /\ UNCHANGED log
    /\ UNCHANGED <<metaVars, brokerVars, applied, logStart, flushed, leaderVars, netVars, exposed>>

(* PersistLog, by a broker: an fsync of the whole log is done. *)
PersistLog(b) ==
    /\ FlushEveryMessage \/ BackgroundFlush
    /\ Alive(b) /\ flushed[b] < Len(log[b])
    /\ flushed' = [flushed EXCEPT ![b] = Len(log[b])]
    /\ IF IsLeader(b)
       THEN Advance(b, applied[b], isrState[b], follower[b], log[b], Len(log[b]), pendingAcks[b])
       ELSE UNCHANGED ackVars
    /\ UNCHANGED <<metaVars, brokerVars, applied, log, logStart, leaderVars, netVars, exposed, budget>>

(* Whether l takes up a fetch r: it leads the epoch that r names, and r is not of an earlier life of its sender. *)
Accepts(l, r) ==
    /\ IsLeader(l)
    /\ On("fetch-leader-epoch") => r.leaderEpoch = LeaderEpoch(l)
    /\ On("fetch-broker-epoch") => r.brokerEpoch >= AppliedImage(l).reg[r.from].epoch

Misplaced(l, r) == OutOfRange(log[l], logStart[l], OwnEpoch(l), r.offset, r.lastEpoch)
Diverging(l, r) == Diverges(log[l], logStart[l], OwnEpoch(l), r.offset, r.lastEpoch)

\* Nothing of the follower is believed where its log does not continue from the leader's (KAFKA-13141).
Believed(l, r) == ~Misplaced(l, r) /\ (Diverging(l, r) => ~On("fetch-divergence-first"))

(* The leader's part of HandleFetch. *)
TakeFetch(l, r) ==
    IF ~Believed(l, r) THEN UNCHANGED <<follower, ackVars>>
    ELSE LET last == follower[l][r.from]
             end == Len(log[l])
             now == [offset |-> r.offset, brokerEpoch |-> r.brokerEpoch,
                     caughtUp |-> TrackLag /\ (r.offset >= end \/ (last.leaderEnd >= 0 /\ r.offset >= last.leaderEnd)),
                     leaderEnd |-> IF TrackLag THEN end ELSE -1]
             followers == [follower[l] EXCEPT ![r.from] = now]
         IN /\ follower' = [follower EXCEPT ![l] = followers]
            /\ AdvanceSame(l, applied[l], isrState[l], followers)

FetchAnswer(l, r) == [
    type |-> "fetchAnswer", to |-> r.from, asked |-> r,
    error |-> IF Misplaced(l, r) THEN "OFFSET_OUT_OF_RANGE" ELSE "NONE",
    diverging |-> IF Diverging(l, r) THEN EndOffsetFor(log[l], logStart[l], OwnEpoch(l), r.lastEpoch) ELSE Nil,
    records |-> IF Misplaced(l, r) \/ Diverging(l, r) \/ LateReads THEN <<>> ELSE SubSeq(log[l], r.offset + 1, Len(log[l])),
    upTo |-> IF Misplaced(l, r) \/ Diverging(l, r) THEN r.offset ELSE Len(log[l]),
    hw |-> hw'[l],
    logStart |-> logStart[l]]

(* HandleFetch, by the leader l: f's progress is noted, the high watermark may rise; f is answered with what it lacks, *)
(* or where its log diverges. A fetch of another epoch, or of an earlier life of f, is refused.                        *)
HandleFetch(l, f) ==
    /\ Alive(f) /\ IsFollower(f) /\ LeaderOf(f) = l
    /\ fetchResp[f] = Nil
    /\ FlushEveryMessage => flushed[f] = Len(log[f])
    /\ LET r == FetchRequest(f)
       IN /\ Accepts(l, r)
          /\ TakeFetch(l, r)
          /\ fetchResp' = [fetchResp EXCEPT ![f] = FetchAnswer(l, r)]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, isrState, apResp, ghosts, exposed, budget>>

Pending(l, isr) == [isr |-> isr, epochs |-> [m \in isr |->
    IF m = l THEN AppliedImage(l).reg[l].epoch ELSE follower[l][m].brokerEpoch]]

(* ProposeExpandIsr, by the leader l: f has caught up with the high watermark and with the begin of this epoch         *)
(* (KAFKA-7128), in the life that is registered (KIP-903). Offset and broker epoch are of one fetch (KAFKA-15221).     *)
ProposeExpandIsr(l, f) ==
    /\ IsLeader(l) /\ isrState[l].pending = Nil /\ f \notin isrState[l].isr
    /\ Active(AppliedImage(l), f)
    /\ LET known == follower[l][f]
       IN /\ known.offset >= 0
          /\ On("expand-broker-epoch") => known.brokerEpoch = AppliedImage(l).reg[f].epoch
          /\ On("expand-hw") => known.offset >= hw[l]
          /\ On("expand-epoch-start") => known.offset >= epochStart[l]
    /\ isrState' = [isrState EXCEPT ![l].pending = Pending(l, isrState[l].isr \cup {f})]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, follower, ackVars, netVars, exposed, budget>>

(* ReplicaLagTimeout, by the leader l: the replicas S have not been caught up for replica.lag.time.max.ms. Members     *)
(* leave the ISR, if no change is under way; once outside, none of them holds the high watermark as about to join.     *)
ReplicaLagTimeout(l, S) ==
    /\ IsLeader(l) /\ S # {} /\ l \notin S
    /\ \A f \in S : follower[l][f].offset < Len(log[l])
    /\ LET leaving == S \cap isrState[l].isr
           waited == {f \in S : follower[l][f].caughtUp}
           shrinks == leaving # {} /\ isrState[l].pending = Nil
           followers == [f \in Replicas |->
                           IF f \in waited THEN [follower[l][f] EXCEPT !.caughtUp = FALSE] ELSE follower[l][f]]
           st == IF shrinks THEN [isrState[l] EXCEPT !.pending = Pending(l, isrState[l].isr \ leaving)] ELSE isrState[l]
       IN /\ S = (IF shrinks THEN leaving ELSE {}) \cup waited
          /\ isrState' = [isrState EXCEPT ![l] = st]
          /\ follower' = [follower EXCEPT ![l] = followers]
          /\ IF waited # {} \/ shrinks THEN AdvanceSame(l, applied[l], st, followers) ELSE UNCHANGED ackVars
          /\ IF shrinks THEN SpendOne("shrinks") ELSE UNCHANGED budget
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, netVars, exposed>>

\* The ISR of l is settled: no change is under way.
Settle(l, i, isr, partitionEpoch, followers) ==
    LET st == CommittedIsr(isr, partitionEpoch)
    IN /\ isrState' = [isrState EXCEPT ![l] = st]
       /\ AdvanceSame(l, i, st, followers)

(* HandleAlterPartitionResponse, by the leader l: success settles the ISR, so does an answer that says that nothing    *)
(* was changed; after any other error only the metadata log can tell, and the change stays pending. A refusal is not   *)
(* believed while an earlier attempt of the same change may still arrive.                                              *)
HandleAlterPartitionResponse(l) ==
    /\ IsLeader(l) /\ apResp[l] # Nil /\ isrState[l].pending # Nil
    /\ On("controller-committed-answers") => apResp[l].offset <= metaHw
    /\ LET a == apResp[l]
           success == a.error = "NONE" /\ a.leaderEpoch = LeaderEpoch(l) /\ a.partitionEpoch >= isrState[l].partitionEpoch
           unchanged == /\ a.error = "INELIGIBLE_REPLICA"
                        /\ On("believe-refusal-alone") => AlterPartitionRequest(l) \notin ghosts
       IN IF success THEN Settle(l, applied[l], a.isr, a.partitionEpoch, follower[l])
          ELSE IF unchanged \/ (a.error # "NONE" /\ ~On("pending-until-known"))
               THEN Settle(l, applied[l], isrState[l].isr, isrState[l].partitionEpoch, follower[l])
               ELSE UNCHANGED <<isrState, ackVars>>
    /\ apResp' = [apResp EXCEPT ![l] = Nil]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, follower, fetchResp, ghosts, exposed, budget>>

-----------------------------------------------------------------------------
(* The follower *)

\* Offsets without records.
Gap(n) == [i \in 1..n |-> [epoch |-> -1, id |-> 0]]

\* With LateReads the bytes are those that the leader's log holds when they leave.
RecordsOf(a) ==
    IF ~LateReads THEN a.records
    ELSE LET lg == log[a.asked.to] IN SubSeq(lg, a.asked.offset + 1, Min(a.upTo, Len(lg)))

\* How many of the records continue the log: of an epoch that was asked for (KAFKA-18723), and not of a lower one.
Continues(f, a, records) ==
    LET fits(i) == /\ On("resp-batch-epoch") => records[i].epoch <= a.asked.leaderEpoch
                   /\ records[i].epoch >= (IF i = 1 THEN LastEpoch(log[f], logStart[f], -1) ELSE records[i - 1].epoch)
    IN IF a.asked.offset < Len(log[f]) THEN 0
       ELSE MaxOf({0} \cup {n \in 1..Len(records) : \A i \in 1..n : fits(i)})

(* The answer is to the live fetch. With apply-drops-fetch off the follower still waits for the one before. *)
StillAsked(f, a) == IF On("apply-drops-fetch") THEN a.asked = FetchRequest(f) ELSE TRUE

(* What f makes of an answer. *)
TakeAnswer(f, a) ==
    LET records == RecordsOf(a)
        n == Continues(f, a, records)
        lg == log[f] \o (IF n = 0 THEN <<>> ELSE Gap(a.asked.offset - Len(log[f]))) \o SubSeq(records, 1, n)
        point == IF On("truncate-by-epoch") THEN TruncationPoint(log[f], logStart[f], a.diverging) ELSE hw[f]
        anew == a.logStart > Len(log[f]) \/ Len(log[f]) = logStart[f]
        newHw == Max(logStart[f], Min(a.hw, Len(lg)))
    IN IF a.error # "NONE" THEN
           IF ~anew THEN UNCHANGED <<logVars, hw>>
           ELSE /\ log' = [log EXCEPT ![f] = Gap(a.logStart)]
                /\ logStart' = [logStart EXCEPT ![f] = a.logStart]
                /\ flushed' = [flushed EXCEPT ![f] = a.logStart]
                /\ hw' = [hw EXCEPT ![f] = a.logStart]
       ELSE IF a.diverging # Nil /\ On("resp-divergence-first") THEN
           /\ log' = [log EXCEPT ![f] = Truncate(log[f], point)]
           /\ logStart' = [logStart EXCEPT ![f] = Min(@, point)]
           /\ flushed' = [flushed EXCEPT ![f] = Min(@, point)]
           /\ hw' = [hw EXCEPT ![f] = Min(@, point)]
       ELSE IF records # <<>> /\ n = 0 THEN UNCHANGED <<logVars, hw>>
       ELSE /\ log' = [log EXCEPT ![f] = lg]
            /\ hw' = [hw EXCEPT ![f] = newHw]
            /\ logStart' = [logStart EXCEPT ![f] = Max(@, Min(a.logStart, newHw))]
            /\ UNCHANGED flushed

(* HandleFetchResponse, by f: only what was asked in this epoch and from this offset. Where the logs diverge it is cut *)
(* first, and the high watermark with it; else the records are appended, then the high watermark moves. Out of the     *)
(* leader's range it starts anew where the leader's log starts.                                                        *)
HandleFetchResponse(f) ==
    /\ Alive(f) /\ IsFollower(f) /\ fetchResp[f] # Nil
    /\ On("resp-still-asked") => StillAsked(f, fetchResp[f])
    /\ TakeAnswer(f, fetchResp[f])
    /\ fetchResp' = [fetchResp EXCEPT ![f] = Nil]
    /\ UNCHANGED <<metaVars, brokerVars, applied, leaderVars, pendingAcks, acked, committed, apResp, ghosts, exposed, budget>>

-----------------------------------------------------------------------------
(* Metadata *)

(* b takes up the role that p gives it in a new leader epoch, having applied i records. *)
ChangeRole(b, i, p) ==
    /\ \E g \in MayStay(b) : Haunt(g) /\ SpendGhost(g)
    /\ apResp' = [apResp EXCEPT ![b] = Nil]
    /\ fetchResp' = [fetchResp EXCEPT ![b] =
         IF p.leader \notin {Nil, b} /\ ~On("apply-drops-fetch") THEN @ ELSE Nil]
    /\ IF p.leader = b
       THEN LET st == CommittedIsr(p.isr, p.partitionEpoch)
            IN /\ epochStart' = [epochStart EXCEPT ![b] = Len(log[b])]
               /\ follower' = [follower EXCEPT ![b] = NoFollowers]
               /\ isrState' = [isrState EXCEPT ![b] = st]
               /\ AdvanceSame(b, i, st, NoFollowers)
       ELSE /\ epochStart' = [epochStart EXCEPT ![b] = Nil]
            /\ follower' = [follower EXCEPT ![b] = Nil]
            /\ isrState' = [isrState EXCEPT ![b] = Nil]
            /\ pendingAcks' = [pendingAcks EXCEPT ![b] = {}]
            /\ UNCHANGED <<hw, acked, committed>>

\* The registration of b's own life.
OwnRegistration(b) == brokerEpoch[b]

(* ApplyPartitionChange, by b: the next committed record about the partition. An older partition epoch than the one    *)
(* known by an answer says nothing new. A new leader epoch gives a role; the same one settles the ISR. A broker that   *)
(* has restarted folds alone until its own registration, and takes up its role from there.                             *)
ApplyPartitionChange(b) ==
    /\ Alive(b)
    /\ IF applied[b] = 0
       THEN LET i == OwnRegistration(b) - 1
            IN /\ i < metaHw
               /\ applied' = [applied EXCEPT ![b] = i]
               /\ ChangeRole(b, i, metaLog[i].part)
       ELSE LET i == applied[b] + 1
            IN /\ i <= metaHw /\ metaLog[i].type = "partition"
               /\ applied' = [applied EXCEPT ![b] = i]
               /\ LET p == metaLog[i].part
                      older == p.partitionEpoch <= PartitionEpoch(b) /\ On("apply-older")
                  IN IF ~older /\ p.leaderEpoch > LeaderEpoch(b) THEN ChangeRole(b, i, p)
                     ELSE IF ~IsLeader(b) THEN UNCHANGED <<leaderVars, ackVars, netVars, budget>>
                     ELSE IF older
                     THEN AdvanceSame(b, i, isrState[b], follower[b]) /\ UNCHANGED <<leaderVars, netVars, budget>>
                     ELSE /\ Settle(b, i, p.isr, p.partitionEpoch, follower[b])
                          /\ \E g \in MayStay(b) : Haunt(g) /\ SpendGhost(g)
                          /\ apResp' = [apResp EXCEPT ![b] = Nil]
                          /\ UNCHANGED <<epochStart, follower, fetchResp>>
    /\ UNCHANGED <<metaVars, brokerVars, logVars, exposed>>

ApplyOther(b, type) ==
    /\ applied[b] > 0
    /\ LET i == applied[b] + 1
       IN /\ i <= metaHw /\ metaLog[i].type = type
          /\ applied' = [applied EXCEPT ![b] = i]
          /\ IF IsLeader(b) THEN AdvanceSame(b, i, isrState[b], follower[b]) ELSE UNCHANGED ackVars
    /\ UNCHANGED <<metaVars, brokerVars, logVars, leaderVars, netVars, exposed, budget>>

(* ApplyBrokerChange, by b: a broker is registered, fenced, unfenced or shutting down. *)
ApplyBrokerChange(b) == Alive(b) /\ ApplyOther(b, "broker")

(* ApplyMinIsrChange, by b: the effective minIsr. *)
ApplyMinIsrChange(b) == Alive(b) /\ ApplyOther(b, "minIsr")

-----------------------------------------------------------------------------
(* Readers, and the start of the log *)

(* ConsumerRead, from b in any role: all below its high watermark is exposed. *)
ConsumerRead(b) ==
    /\ SpendOne("reads")
    /\ Alive(b) /\ (IsLeader(b) \/ IsFollower(b))
    /\ hw[b] > logStart[b]
    /\ exposed' = exposed \cup {e \in Entries(log[b], hw[b]) : e.offset >= logStart[b]}
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, leaderVars, ackVars, netVars>>

StartAt(l, offset) ==
    /\ offset > logStart[l] /\ offset <= hw[l]
    /\ logStart' = [logStart EXCEPT ![l] = offset]
    /\ SpendOne("deletes")
    /\ UNCHANGED <<metaVars, brokerVars, applied, log, flushed, leaderVars, ackVars, netVars, exposed>>

(* DeleteRecords, by the leader l: an operator deletes what is below an offset (KIP-107). *)
DeleteRecords(l, offset) == IsLeader(l) /\ StartAt(l, offset)

(* RetentionTimeout, by the leader l: everything below the high watermark is older than retention allows. *)
RetentionTimeout(l) == IsLeader(l) /\ StartAt(l, hw[l])

-----------------------------------------------------------------------------
(* The environment *)

Stop(b, h) ==
    /\ up' = [up EXCEPT ![b] = "down"]
    /\ brokerEpoch' = [brokerEpoch EXCEPT ![b] = Nil]
    /\ Forget(b, h)
    /\ UNCHANGED <<metaVars, incarnation, acked, committed, exposed>>

(* KillProcess: the process of b dies; its page cache stays. *)
KillProcess(b) ==
    /\ b \in Crashable /\ up[b] # "down" /\ budget.kills > 0
    /\ \E g \in MayStay(b) : Haunt(g) /\ Spend("kills", g)
    /\ Stop(b, logStart[b])
    /\ UNCHANGED logVars

(* PowerLoss: the machine of b loses power; of what was not fsynced, the last k records are gone. *)
PowerLoss(b, k) ==
    /\ b \in Crashable /\ up[b] # "down" /\ budget.powerLosses > 0
    /\ LET end == Len(log[b]) - k
           start == logStart[b]  \* on disk; a log that ends below it starts anew there
       IN /\ end >= flushed[b]
          /\ log' = [log EXCEPT ![b] = IF end < start THEN Gap(start) ELSE Truncate(@, end)]
          /\ flushed' = [flushed EXCEPT ![b] = Max(end, start)]
    /\ \E g \in MayStay(b) : Haunt(g) /\ Spend("powerLosses", g)
    /\ Stop(b, logStart[b])
    /\ UNCHANGED logStart

(* WipeDisk: b is down and gets an empty disk. *)
WipeDisk(b) ==
    /\ up[b] = "down" /\ SpendOne("wipes")
    /\ log' = [log EXCEPT ![b] = <<>>]
    /\ logStart' = [logStart EXCEPT ![b] = 0]
    /\ flushed' = [flushed EXCEPT ![b] = 0]
    /\ hw' = [hw EXCEPT ![b] = 0]
    /\ brokerEpoch' = [brokerEpoch EXCEPT ![b] = Nil]
    /\ UNCHANGED <<metaVars, up, incarnation, applied, leaderVars, pendingAcks, acked, committed, netVars, exposed>>

(* RestartBroker: a new life of b; it has yet to register. *)
RestartBroker(b) ==
    /\ up[b] = "down"
    /\ up' = [up EXCEPT ![b] = "starting"]
    /\ incarnation' = [incarnation EXCEPT ![b] = @ + 1]
    /\ UNCHANGED <<metaVars, brokerEpoch, applied, logVars, leaderVars, ackVars, netVars, exposed, budget>>

(* LoseMessage: an answer on its way to b is lost, so that b asks again; or, of AlterPartition, a request is delayed   *)
(* past the time-out, and may still arrive.                                                                            *)
LoseMessage(b, kind) ==
    /\ SpendOne("losses")
    /\ \/ kind = "fetch" /\ fetchResp[b] # Nil /\ fetchResp' = [fetchResp EXCEPT ![b] = Nil] /\ UNCHANGED <<apResp, ghosts>>
       \/ kind = "alterPartition" /\ apResp[b] # Nil /\ apResp' = [apResp EXCEPT ![b] = Nil] /\ UNCHANGED <<fetchResp, ghosts>>
       \/ /\ kind = "delay" /\ IsLeader(b) /\ isrState[b].pending # Nil /\ apResp[b] = Nil /\ ghosts = {}
          /\ ghosts' = {AlterPartitionRequest(b)}
          /\ UNCHANGED <<fetchResp, apResp>>
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, leaderVars, ackVars, exposed>>

(* DeliverGhost: what was abandoned arrives: a request that nobody waits for, or an answer that nobody asked for. *)
DeliverGhost ==
    /\ \E g \in ghosts :
         CASE g.type = "fetch" ->
                /\ IF Accepts(g.to, g) THEN TakeFetch(g.to, g) ELSE UNCHANGED <<follower, ackVars>>
                /\ UNCHANGED <<metaVars, logVars>>
           [] g.type = "fetchAnswer" ->
                /\ IF /\ Alive(g.to) /\ IsFollower(g.to)
                      /\ On("resp-still-asked") => StillAsked(g.to, g)
                   THEN TakeAnswer(g.to, g) ELSE UNCHANGED <<logVars, hw>>
                /\ UNCHANGED <<metaVars, follower, pendingAcks, acked, committed>>
           [] g.type = "alterPartition" ->
                /\ LET q == IF Refusal(g) = "NONE" THEN AfterAlterPartition(g) ELSE part
                   IN IF q = part THEN UNCHANGED metaVars ELSE DecidePartition(q)
                /\ UNCHANGED <<follower, ackVars, logVars>>
    /\ ghosts' = {}
    /\ UNCHANGED <<brokerVars, applied, epochStart, isrState, fetchResp, apResp, exposed, budget>>

-----------------------------------------------------------------------------
MinIsrs == 1..Len(Assignment)

Next ==
    \/ \E b \in Replicas : HandleBrokerRegistration(b)
    \/ \E b \in Replicas : HandleBrokerRegistrationResponse(b)
    \/ \E b \in Replicas, want \in {"run", "shutdown"} : HandleBrokerHeartbeat(b, want)
    \/ \E b \in Replicas : HandleBrokerHeartbeatResponse(b)
    \/ \E b \in Replicas : BrokerSessionTimeout(b)
    \/ \E l \in Replicas : HandleAlterPartition(l)
    \/ \E mode \in {"PREFERRED", "UNCLEAN"} : HandleElectLeaders(mode)
    \/ PreferredLeaderTimeout
    \/ UncleanElectionTimeout
    \/ \E n \in MinIsrs : HandleAlterMinIsr(n)
    \/ CommitMetadata
    \/ LoseUncommitted
    \/ \E l \in Replicas, acks \in Acks, id \in Ids : HandleProduce(l, acks, id)
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
    \/ \E l \in Replicas, offset \in Ids : DeleteRecords(l, offset)
    \/ \E l \in Replicas : RetentionTimeout(l)
    \/ \E b \in Replicas : KillProcess(b)
    \/ \E b \in Replicas, k \in {0} \cup Ids : PowerLoss(b, k)
    \/ \E b \in Replicas : WipeDisk(b)
    \/ \E b \in Replicas : RestartBroker(b)
    \/ \E b \in Replicas, kind \in {"fetch", "alterPartition", "delay"} : LoseMessage(b, kind)
    \/ DeliverGhost

Spec == Init /\ [][Next]_vars
=============================================================================
