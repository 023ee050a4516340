--------------------------- MODULE TracePartition ---------------------------
(***************************************************************************)
(* What a run of the code has done to one partition, its brokers and its   *)
(* controller, as a behaviour of Partition.  The steps are data, made from *)
(* the lines of a trace (io.tidemark.conformance.trace).  Each step takes  *)
(* the action of its name, and where it was observed the variables of who  *)
(* acted must agree with what the line says of them.                       *)
(*                                                                         *)
(* The network of a run loses, repeats and delays more than Partition      *)
(* does.  What Partition leaves out and a run may show has an action here, *)
(* made of the same parts as Partition's:                                  *)
(*   LateFetch, LateAlterPartition   a request that was sent, and that its *)
(*              sender no longer waits for, arrives all the same           *)
(*   FollowerRead     a fetch that waited is answered anew                 *)
(*   PartialAnswer    an answer holds less than the leader has             *)
(*   PersistUpTo      an fsync covers what was there when it began         *)
(*   AckTimeout       an acknowledgement is given up                       *)
(*   Activate         another controller begins, with what its log holds    *)
(*   Known            a broker applies its own registration before the     *)
(*              controller's answer to it comes: that says nothing new     *)
(*   StopFenced       a broker that is fenced already may stop in order    *)
(*              at once                                                    *)
(*   Die              a process or its machine stops; what the next one    *)
(*              knows of its high watermark and of what is on disk is as   *)
(*              old as its checkpoints, not always the start of the log    *)
(*   ApplyFlushChange    as the constant has it                            *)
(*   DiskLies, DiskKeepsWord   from one to the other the disk says of      *)
(*              fsyncs that they are done, and does not do them            *)
(*                                                                         *)
(* Several traces that begin alike are one run of TLC: `trace` is the      *)
(* number of the one that is followed, 0 of the one that the others are    *)
(* variants of.  How far each can be followed is printed.                  *)
(***************************************************************************)
EXTENDS Partition, TLC

CONSTANTS
    Start,     \* the state that the trace begins in: a record of the variables
    Steps,     \* of trace 0: Seq of [do, at, x, see, keep]; see is Nil where nothing was observed
    Variants,  \* of the others: Seq of [from, steps, resume]: after from steps of trace 0 its own, then those of 0 from resume
    EndsAs,    \* the state that the next segment of trace 0 starts in; Nil where this is the last one
    Unseen     \* the step of trace 0 whose observation is not compared, to show what the specification expects; 0 for none

VARIABLES
    trace,  \* which trace is followed
    pos,    \* how many of its steps are taken
    fsynced, \* fsynced[b]: what is on b's disk, whether the process of b knows it or not
    lying,  \* lying[b]: what b's disk says of fsyncs is not to be believed
    late    \* requests that will arrive although their sender no longer waits for them

traceVars == <<trace, pos, fsynced, lying, late>>

\* TLC evaluates a long constant anew each time that it is asked for; what it has been told to keep it does not.
ASSUME TLCSet(1, Steps) /\ TLCSet(2, Variants)
Recorded == TLCGet(1)
Others == TLCGet(2)

StepsOf(j) == IF j = 0 THEN Len(Recorded)
              ELSE Others[j].from + Len(Others[j].steps) + Len(Recorded) - Others[j].resume + 1
StepAt(j, i) ==
    IF j = 0 THEN Recorded[i]
    ELSE LET v == Others[j]
             own == i - v.from
         IN IF own <= Len(v.steps) THEN v.steps[own] ELSE Recorded[v.resume + own - Len(v.steps) - 1]

-----------------------------------------------------------------------------
(* What Partition leaves out. *)

LateFetch(l, r) ==
    /\ r \in late
    /\ Accepts(l, r)
    /\ TakeFetch(l, r)
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, isrState, netVars, exposed, budget>>

LateAlterPartition(r) ==
    /\ r \in late
    /\ Refusal(r) = "NONE"
    /\ DecidePartition(AfterAlterPartition(r))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

FollowerRead(l, f) ==
    /\ Alive(f) /\ IsFollower(f) /\ LeaderOf(f) = l
    /\ LET r == FetchRequest(f)
       IN /\ IsLeader(l) /\ r.leaderEpoch = LeaderEpoch(l)
          /\ hw' = hw
          /\ fetchResp' = [fetchResp EXCEPT ![f] = FetchAnswer(l, r)]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, leaderVars, pendingAcks, acked, committed, apResp, ghosts,
                   exposed, budget>>

PartialAnswer(f, n) ==
    /\ fetchResp[f] # Nil /\ n < Len(fetchResp[f].records)
    /\ fetchResp' = [fetchResp EXCEPT ![f].records = SubSeq(@, 1, n), ![f].upTo = fetchResp[f].asked.offset + n]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, leaderVars, ackVars, apResp, ghosts, exposed, budget>>

PersistUpTo(b, n) ==
    /\ Alive(b) /\ flushed[b] < n /\ n <= Len(log[b])
    /\ flushed' = [flushed EXCEPT ![b] = n]
    /\ IF IsLeader(b)
       THEN Advance(b, applied[b], isrState[b], follower[b], log[b], n, pendingAcks[b])
       ELSE UNCHANGED ackVars
    /\ UNCHANGED <<metaVars, brokerVars, applied, log, logStart, leaderVars, netVars, exposed, budget>>

AckTimeout(l, left) ==
    /\ IsLeader(l)
    /\ pendingAcks' = [pendingAcks EXCEPT ![l] = {a \in @ : a.acks # "all" \/ a.required \in left}]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, leaderVars, hw, acked, committed, netVars, exposed, budget>>

\* n records are left, the high watermark starts from h, and the next process knows of k that they are on disk.
Die(b, n, h, k) ==
    /\ up[b] # "down"
    /\ n \in {Len(log[b])} \cup fsynced[b]..Len(log[b])
    /\ h \in logStart[b]..Min(hw[b], n)
    /\ k \in 0..n
    /\ log' = [log EXCEPT ![b] = Truncate(@, n)]
    /\ flushed' = [flushed EXCEPT ![b] = k]
    /\ UNCHANGED <<logStart, ghosts, budget>>
    /\ Stop(b, h)

\* As HandleBrokerHeartbeatResponse stops a broker, but for that its shutdown was not begun before it was fenced.
StopFenced(b) ==
    /\ Alive(b) /\ metaLog[Known].reg[b].epoch = brokerEpoch[b]
    /\ metaLog[Known].reg[b].fenced /\ ~metaLog[Known].reg[b].shuttingDown
    /\ up' = [up EXCEPT ![b] = "down"]
    /\ flushed' = [flushed EXCEPT ![b] = Len(log[b])]
    /\ Forget(b, hw[b])
    /\ UNCHANGED <<metaVars, incarnation, brokerEpoch, ghosts, log, logStart, acked, committed, exposed, budget>>

-----------------------------------------------------------------------------
(* The controller while unclean.leader.election.enable is on, which may change as a trace goes on: the actions of      *)
(* Controller that elect, in mode "UNCLEAN".  HandleAlterPartition elects nobody: its sender leads and stays.          *)

UncleanWithout(img, b, untrusted) ==
    Change(img, "UNCLEAN", img.part.isr \ {b}, img.part.recovery, ActiveSet(img) \ {b}, untrusted)

UncleanRegistration(b) ==
    /\ up[b] = "starting" /\ reg[b].incarnation # incarnation[b] /\ reg[b].fenced
    /\ LET untrusted == brokerEpoch[b] # reg[b].epoch /\ ElrEnabled
           held == b \in part.isr \/ (untrusted /\ b \in part.elr)
           p == IF held THEN UncleanWithout(Image, b, IF untrusted THEN {b} ELSE {}) ELSE part
           epoch == Len(metaLog) + IF p = part THEN 1 ELSE 2
       IN Decide(PartitionThenBroker(Image, p, b,
            [epoch |-> epoch, incarnation |-> incarnation[b], fenced |-> TRUE, shuttingDown |-> FALSE]))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

UncleanHeartbeat(b, want) ==
    /\ Alive(b) /\ brokerEpoch[b] = reg[b].epoch
    /\ LET gone == IF b \in part.isr THEN UncleanWithout(Image, b, {}) ELSE part
       IN \/ /\ want = "run" /\ reg[b].fenced /\ ~reg[b].shuttingDown /\ applied[b] >= reg[b].epoch
             /\ LET p == IF part.leader # Nil THEN part
                         ELSE Change(Image, "UNCLEAN", part.isr, part.recovery, ActiveSet(Image) \cup {b}, {})
                IN Decide(BrokerThenPartition(Image, b, [reg[b] EXCEPT !.fenced = FALSE], p))
          \/ /\ want = "shutdown" /\ Active(Image, b)
             /\ Decide(BrokerThenPartition(Image, b, [reg[b] EXCEPT !.shuttingDown = TRUE], gone))
          \/ /\ want = "shutdown" /\ reg[b].shuttingDown /\ ~reg[b].fenced /\ part.leader # b
             /\ \A a \in ActiveSet(Image) : \E i \in 1..applied[a] : metaLog[i].last /\ metaLog[i].reg[b].shuttingDown
             /\ Decide(PartitionThenBroker(Image, gone, b, Fenced(Image, b)))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

UncleanSessionTimeout(b) ==
    /\ ~reg[b].fenced
    /\ LET p == IF b \in part.isr THEN UncleanWithout(Image, b, {}) ELSE part
       IN Decide(PartitionThenBroker(Image, p, b, Fenced(Image, b)))
    /\ UNCHANGED <<brokerVars, netVars, budget, controllerUnchanged>>

-----------------------------------------------------------------------------
(* Steps *)

DuplicateId(l, offset) == IF offset \in 0..(Len(log[l]) - 1) THEN log[l][offset + 1].id ELSE -1

\* What the action is told, or tells, is as the specification has it; where the step is to be shown, both are shown.
Says(name, here, there) ==
    IF here = there THEN TRUE
    ELSE /\ pos + 1 = Unseen
         /\ PrintT(ToString(<<"@expected", name, here>>)) /\ PrintT(ToString(<<"@observed", name, there>>))

\* What the leader l was seen to answer to r is what it may answer; Nil where it lets the fetch wait.
AnswersSo(l, r, x) ==
    x.answer # Nil =>
        LET a == FetchAnswer(l, r)
            plain == a.error = "NONE" /\ a.diverging = Nil
        IN Says("answer", [error |-> a.error, hw |-> a.hw, logStart |-> a.logStart, diverging |-> a.diverging,
                           upTo |-> IF plain THEN a.upTo ELSE x.answer.upTo],
                          [error |-> x.answer.error, hw |-> x.answer.hw, logStart |-> x.answer.logStart,
                           diverging |-> x.answer.diverging, upTo |-> x.answer.upTo])

\* The answer that arrives is the one that was sent.
Answers(f, x) ==
    LET a == fetchResp[f]
    IN a # Nil =>
         /\ Says("answer", [error |-> a.error, hw |-> a.hw, logStart |-> a.logStart, diverging |-> a.diverging],
                           [error |-> x.error, hw |-> x.hw, logStart |-> x.logStart, diverging |-> x.diverging])
         /\ Says("records", [i \in DOMAIN a.records |-> a.records[i].epoch], x.epochs)

\* What the controller was seen to answer is what it answers; of a refusal its reason.
Altered(a, x) ==
    Says("answer", IF a.error = "NONE" THEN a ELSE [x EXCEPT !.error = a.error], [x EXCEPT !.offset = a.offset])

\* What b applies is the committed prefix of the quorum's log, as far as b's own node knows and holds it.
OfTheQuorum(b, x) == Says("applied", Min(applied'[b], x.committed), applied'[b])

\* Steps of the controller alone; whose step the others are is one of the replicas.
OfNobody == {"HandleElectLeaders", "PreferredLeaderTimeout", "UncleanElectionTimeout", "HandleAlterMinIsr", "CommitMetadata",
             "LoseUncommitted", "LateAlterPartition", "Activate"}

Act(s) ==
    LET b == s.at
        x == s.x
    IN CASE s.do \notin OfNobody /\ b \notin Replicas -> FALSE
         [] s.do \in {"HandleFetch", "FollowerRead"} /\ x.from \notin Replicas -> FALSE
         [] s.do = "ProposeExpandIsr" /\ x.follower \notin Replicas -> FALSE
         [] s.do = "HandleProduce" -> HandleProduce(b, x.acks, IF x.offset >= 0 THEN DuplicateId(b, x.offset) ELSE NextId)
         [] s.do = "PersistLog" -> PersistUpTo(b, x.upTo)
         [] s.do = "HandleFetch" -> HandleFetch(b, x.from) /\ Says("asked", FetchRequest(x.from), x.asked) /\ AnswersSo(b, x.asked, x)
         [] s.do = "LateFetch" -> LateFetch(b, x.asked) /\ AnswersSo(b, x.asked, x)
         [] s.do = "FollowerRead" -> FollowerRead(b, x.from) /\ Says("asked", FetchRequest(x.from), x.asked) /\ AnswersSo(b, x.asked, x)
         [] s.do = "PartialAnswer" -> PartialAnswer(b, x.records)
         [] s.do = "HandleFetchResponse" -> HandleFetchResponse(b) /\ Answers(b, x)
         [] s.do = "ProposeExpandIsr" -> ProposeExpandIsr(b, x.follower)
         [] s.do = "ReplicaLagTimeout" -> \E S \in SUBSET (x.laggards \cap Replicas) : ReplicaLagTimeout(b, S)
         [] s.do = "HandleAlterPartitionResponse" -> HandleAlterPartitionResponse(b) /\ Says("error", apResp[b].error, x.error)
         [] s.do = "ApplyPartitionChange" -> ApplyPartitionChange(b) /\ OfTheQuorum(b, x)
         [] s.do = "ApplyBrokerChange" -> ApplyBrokerChange(b) /\ OfTheQuorum(b, x)
         [] s.do = "ApplyMinIsrChange" -> ApplyMinIsrChange(b) /\ OfTheQuorum(b, x)
         [] s.do = "ConsumerRead" -> ConsumerRead(b)
         [] s.do = "AckTimeout" -> AckTimeout(b, x.left)
         [] s.do = "HandleBrokerRegistration" ->
              /\ Says("incarnation", incarnation[b], x.incarnation)
              /\ Says("previousBrokerEpoch", IF brokerEpoch[b] = Nil THEN -1 ELSE brokerEpoch[b], x.previousBrokerEpoch)
              /\ IF x.unclean THEN UncleanRegistration(b) ELSE HandleBrokerRegistration(b)
         [] s.do = "HandleBrokerRegistrationResponse" -> HandleBrokerRegistrationResponse(b)
         [] s.do = "Known" -> UNCHANGED vars
         [] s.do = "HandleBrokerHeartbeat" ->
              /\ Says("brokerEpoch", reg[b].epoch, x.brokerEpoch)
              /\ IF x.unclean THEN UncleanHeartbeat(b, x.want) ELSE HandleBrokerHeartbeat(b, x.want)
         [] s.do = "HandleBrokerHeartbeatResponse" -> HandleBrokerHeartbeatResponse(b) \/ StopFenced(b)
         [] s.do = "BrokerSessionTimeout" -> IF x.unclean THEN UncleanSessionTimeout(b) ELSE BrokerSessionTimeout(b)
         [] s.do = "HandleAlterPartition" -> 
              HandleAlterPartition(b) /\ Says("asked", AlterPartitionRequest(b), x.asked) /\ Altered(apResp'[b], x.answer)
         [] s.do = "LateAlterPartition" -> LateAlterPartition(x.asked)
         [] s.do = "HandleElectLeaders" -> HandleElectLeaders(x.mode)
         [] s.do = "PreferredLeaderTimeout" -> PreferredLeaderTimeout
         [] s.do = "UncleanElectionTimeout" -> x.unclean /\ UncleanElectionTimeout
         [] s.do = "HandleAlterMinIsr" -> HandleAlterMinIsr(x.minIsr)
         [] s.do = "CommitMetadata" -> CommitMetadata /\ metaHw' = x.upTo
         [] s.do = "LoseUncommitted" -> LoseUncommitted /\ Len(metaLog') = x.end
         [] s.do = "Activate" ->
              /\ Says("epoch", x.lastEpoch, x.epoch) /\ Says("nextOffset", x.end, x.nextOffset) /\ Says("metaHw", x.hw, x.metaHw)
              /\ UNCHANGED vars
         [] s.do = "ApplyFlushChange" -> x.every = FlushEveryMessage /\ UNCHANGED vars
         [] s.do \in {"DiskLies", "DiskKeepsWord"} -> UNCHANGED vars
         [] s.do = "Die" -> Die(b, x.end, x.hw, x.flushed)
         [] s.do = "WipeDisk" -> WipeDisk(b)
         [] s.do = "RestartBroker" -> RestartBroker(b)
         [] s.do = "LoseMessage" -> LoseMessage(b, x.kind)
         [] OTHER -> FALSE  \* no action of the specification

-----------------------------------------------------------------------------
(* What was observed. *)

\* The records [1, kept] are as before, then those with the epochs `epochs`.
LogIs(b, kept, epochs) ==
    /\ Len(log'[b]) = kept + Len(epochs)
    /\ kept <= Len(log[b]) /\ \A i \in 1..kept : log'[b][i] = log[b][i]
    /\ \A i \in DOMAIN epochs : log'[b][kept + i].epoch = epochs[i]

RegistrationsAre(img, known) ==
    \A b \in Replicas : known[b] = [epoch |-> img.reg[b].epoch, active |-> Active(img, b)]

\* Of an answer that was faster than its record the ISR and the partition epoch alone are known.
ReplicaIs(b, o) ==
    /\ applied'[b] = o.applied
    /\ LogIs(b, o.kept, o.epochs)
    /\ logStart'[b] = o.logStart /\ flushed'[b] = o.flushed /\ hw'[b] = o.hw
    /\ epochStart'[b] = o.epochStart
    /\ IF o.follower = Nil THEN follower'[b] = Nil
       ELSE /\ follower'[b] # Nil
            /\ \A f \in Replicas \ {b} :
                 [offset |-> follower'[b][f].offset, brokerEpoch |-> follower'[b][f].brokerEpoch,
                  caughtUp |-> follower'[b][f].caughtUp] = o.follower[f]
    /\ isrState'[b] = o.isrState
    /\ {a.required : a \in {p \in pendingAcks'[b] : p.acks = "all"}} = o.pendingAcks
    /\ LET img == metaLog'[applied'[b]]
       IN /\ img.part.leader = o.leader /\ img.part.leaderEpoch = o.leaderEpoch
          /\ isrState'[b] = Nil => img.part.partitionEpoch = o.partitionEpoch
          /\ img.minIsr = o.minIsr
          /\ RegistrationsAre(img, o.reg)

ControllerIs(o) ==
    /\ Len(metaLog') = o.end
    /\ o.atEnd  \* where the log of the controller's node ended
    /\ \A i \in DOMAIN o.appended :
         LET entry == metaLog'[o.end - Len(o.appended) + i]
         IN entry.type = o.appended[i].type /\ entry.broker = o.appended[i].broker
    /\ LET img == metaLog'[Len(metaLog')]
       IN img.part = o.part /\ img.minIsr = o.minIsr /\ img.reg = o.reg

BrokerIs(b, o) ==
    /\ up'[b] = o.up /\ incarnation'[b] = o.incarnation
    /\ o.up \notin {"down", "starting"} => brokerEpoch'[b] = o.brokerEpoch

Agrees(s) ==
    IF s.see = Nil THEN TRUE
    ELSE CASE s.see.of = "replica" -> ReplicaIs(s.at, s.see)
           [] s.see.of = "controller" -> ControllerIs(s.see)
           [] s.see.of = "broker" -> BrokerIs(s.at, s.see)

-----------------------------------------------------------------------------
(* For whoever has to find out why a step is not possible. *)

Show(name, value) == PrintT(ToString(<<"@expected", name, value>>))

\* What the specification makes of the step, under the names that observations have.
ShowExpected(s) ==
    LET b == s.at
        img == metaLog'[IF s.see # Nil /\ s.see.of = "controller" THEN Len(metaLog') ELSE Max(applied'[b], 1)]
    IN IF s.see = Nil THEN TRUE
       ELSE CASE s.see.of = "replica" ->
                   /\ Show("applied", applied'[b]) /\ Show("logStart", logStart'[b]) /\ Show("flushed", flushed'[b])
                   /\ Show("hw", hw'[b]) /\ Show("epochStart", epochStart'[b])
                   /\ Show("epochs", [i \in 1..(Len(log'[b]) - s.see.kept) |-> log'[b][s.see.kept + i].epoch])
                   /\ Show("follower", IF follower'[b] = Nil THEN Nil ELSE [f \in Replicas \ {b} |->
                        [offset |-> follower'[b][f].offset, brokerEpoch |-> follower'[b][f].brokerEpoch,
                         caughtUp |-> follower'[b][f].caughtUp]])
                   /\ Show("isrState", isrState'[b])
                   /\ Show("pendingAcks", {a.required : a \in {p \in pendingAcks'[b] : p.acks = "all"}})
                   /\ Show("leader", img.part.leader) /\ Show("leaderEpoch", img.part.leaderEpoch)
                   /\ Show("partitionEpoch", IF isrState'[b] = Nil THEN img.part.partitionEpoch
                                                                   ELSE isrState'[b].partitionEpoch)
                   /\ Show("minIsr", img.minIsr)
                   /\ Show("reg", [r \in Replicas |-> [epoch |-> img.reg[r].epoch, active |-> Active(img, r)]])
              [] s.see.of = "controller" ->
                   /\ Show("atEnd", TRUE)
                   /\ LET n == Len(s.see.appended)
                          at(i) == metaLog'[Len(metaLog') - n + i]
                      IN Show("appended", [i \in 1..n |-> [type |-> at(i).type, broker |-> at(i).broker]])
                   /\ Show("end", Len(metaLog')) /\ Show("part", img.part) /\ Show("minIsr", img.minIsr)
                   /\ Show("reg", img.reg)
              [] s.see.of = "broker" ->
                   /\ Show("up", up'[b]) /\ Show("incarnation", incarnation'[b]) /\ Show("brokerEpoch", brokerEpoch'[b])

ShowEnabled(name, enabled) == IF enabled THEN PrintT(ToString(<<"@enabled", name>>)) ELSE TRUE

\* What b might have done instead.
ShowInstead(b) ==
    /\ ShowEnabled("HandleProduce", ENABLED HandleProduce(b, "all", NextId))
    /\ ShowEnabled("PersistLog", ENABLED PersistLog(b))
    /\ ShowEnabled("HandleFetch", \E f \in Replicas \ {b} : ENABLED HandleFetch(b, f))
    /\ ShowEnabled("HandleFetchResponse", ENABLED HandleFetchResponse(b))
    /\ ShowEnabled("ProposeExpandIsr", \E f \in Replicas \ {b} : ENABLED ProposeExpandIsr(b, f))
    /\ ShowEnabled("ReplicaLagTimeout", \E S \in SUBSET Replicas : ENABLED ReplicaLagTimeout(b, S))
    /\ ShowEnabled("HandleAlterPartition", ENABLED HandleAlterPartition(b))
    /\ ShowEnabled("HandleAlterPartitionResponse", ENABLED HandleAlterPartitionResponse(b))
    /\ ShowEnabled("ApplyPartitionChange", ENABLED ApplyPartitionChange(b))
    /\ ShowEnabled("ApplyBrokerChange", ENABLED ApplyBrokerChange(b))
    /\ ShowEnabled("ApplyMinIsrChange", ENABLED ApplyMinIsrChange(b))
    /\ ShowEnabled("ConsumerRead", ENABLED ConsumerRead(b))
    /\ ShowEnabled("HandleBrokerRegistration", ENABLED HandleBrokerRegistration(b))
    /\ ShowEnabled("HandleBrokerRegistrationResponse", ENABLED HandleBrokerRegistrationResponse(b))
    /\ ShowEnabled("HandleBrokerHeartbeat", \E w \in {"run", "shutdown"} : ENABLED HandleBrokerHeartbeat(b, w))
    /\ ShowEnabled("HandleBrokerHeartbeatResponse", ENABLED HandleBrokerHeartbeatResponse(b))
    /\ ShowEnabled("BrokerSessionTimeout", ENABLED BrokerSessionTimeout(b))
    /\ ShowEnabled("RestartBroker", ENABLED RestartBroker(b))

-----------------------------------------------------------------------------
(* The end of a segment is the start of the next one: names of records apart, which a run does not tell. *)

Epochs(records) == [i \in DOMAIN records |-> records[i].epoch]
EpochsOfAnswer(a) == IF a = Nil THEN Nil ELSE [a EXCEPT !.records = Epochs(@)]
Waiting(asked) == {a.required : a \in {p \in asked : p.acks = "all"}}

EndIs(name, here, there) ==
    \/ here = there
    \/ PrintT(ToString(<<"@expected", name, here>>)) /\ PrintT(ToString(<<"@observed", name, there>>)) /\ FALSE

Ends ==
    /\ EndIs("metaLog", metaLog', EndsAs.metaLog) /\ EndIs("metaHw", metaHw', EndsAs.metaHw)
    /\ EndIs("up", up', EndsAs.up) /\ EndIs("incarnation", incarnation', EndsAs.incarnation)
    /\ EndIs("brokerEpoch", brokerEpoch', EndsAs.brokerEpoch) /\ EndIs("applied", applied', EndsAs.applied)
    /\ EndIs("log", [b \in Replicas |-> Epochs(log'[b])], [b \in Replicas |-> Epochs(EndsAs.log[b])])
    /\ EndIs("logStart", logStart', EndsAs.logStart) /\ EndIs("flushed", flushed', EndsAs.flushed)
    /\ EndIs("hw", hw', EndsAs.hw) /\ EndIs("epochStart", epochStart', EndsAs.epochStart)
    /\ EndIs("follower", [l \in Replicas |-> IF follower'[l] = Nil THEN Nil ELSE [f \in Replicas \ {l} |-> follower'[l][f]]],
                         [l \in Replicas |-> IF EndsAs.follower[l] = Nil THEN Nil
                                             ELSE [f \in Replicas \ {l} |-> EndsAs.follower[l][f]]])
    /\ EndIs("isrState", isrState', EndsAs.isrState)
    /\ EndIs("pendingAcks", [b \in Replicas |-> Waiting(pendingAcks'[b])], [b \in Replicas |-> Waiting(EndsAs.pendingAcks[b])])
    /\ EndIs("fetchResp", [b \in Replicas |-> EpochsOfAnswer(fetchResp'[b])],
                          [b \in Replicas |-> EpochsOfAnswer(EndsAs.fetchResp[b])])
    /\ EndIs("apResp", apResp', EndsAs.apResp)
    /\ EndIs("fsynced", fsynced', EndsAs.fsynced) /\ EndIs("lying", lying', EndsAs.lying)

-----------------------------------------------------------------------------
(* Behaviours *)

Keep(s) == {FetchRequest(f)' : f \in s.keep.fetch} \cup {AlterPartitionRequest(l)' : l \in s.keep.alterPartition}

\* What is known to be on b's disk by now: what is fsynced, if the disk can be believed, or b has stopped in order.
Told(s, b) == IF lying[b] /\ s.do # "HandleBrokerHeartbeatResponse" THEN 0 ELSE flushed'[b]

Follow(j) ==
    /\ pos < StepsOf(j)
    /\ LET s == StepAt(j, pos + 1)
       IN /\ Act(s)
          /\ IF j = 0 /\ pos + 1 = Unseen THEN ShowExpected(s) ELSE Agrees(s)
          /\ late' = late \cup Keep(s)
          /\ lying' = IF s.do \in {"DiskLies", "DiskKeepsWord"} THEN [lying EXCEPT ![s.at] = s.do = "DiskLies"] ELSE lying
          /\ fsynced' = [b \in Replicas |-> Min(Len(log'[b]), Max(fsynced[b], Told(s, b)))]
    /\ trace' = j /\ pos' = pos + 1
    /\ EndsAs # Nil /\ j = 0 /\ pos + 1 = StepsOf(0) /\ Unseen = 0 => Ends
    /\ PrintT(<<"@followed", j, pos + 1>>)

TraceInit ==
    /\ metaLog = Start.metaLog /\ metaHw = Start.metaHw
    /\ up = Start.up /\ incarnation = Start.incarnation /\ brokerEpoch = Start.brokerEpoch /\ applied = Start.applied
    /\ log = Start.log /\ logStart = Start.logStart /\ flushed = Start.flushed /\ hw = Start.hw
    /\ epochStart = Start.epochStart /\ follower = Start.follower /\ isrState = Start.isrState
    /\ pendingAcks = Start.pendingAcks /\ fetchResp = Start.fetchResp /\ apResp = Start.apResp
    /\ ghosts = {} /\ acked = {} /\ exposed = {} /\ committed = {}
    /\ budget = [Budget EXCEPT !.records = @ - Start.ids]
    /\ fsynced = Start.fsynced /\ lying = Start.lying
    /\ trace = 0 /\ pos = 0 /\ late = Start.late

TraceNext ==
    \/ trace = 0 /\ pos + 1 = Unseen /\ Recorded[Unseen].at \in Replicas /\ ShowInstead(Recorded[Unseen].at) /\ FALSE
    \/ (Unseen = 0 \/ pos < Unseen) /\ Follow(trace)
    \/ trace = 0 /\ \E j \in DOMAIN Others : Others[j].from = pos /\ Follow(j)

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, traceVars>>
=============================================================================
