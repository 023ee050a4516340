--------------------------- MODULE TraceController ---------------------------
(***************************************************************************)
(* What a run of the code has decided as its controller, for all           *)
(* partitions and brokers at once, as behaviours of Controller.  The steps *)
(* are data, made from the lines of a trace                                *)
(* (io.tidemark.conformance.trace).                                        *)
(*                                                                         *)
(* Controller has one partition; a decision of the code is one batch for   *)
(* all of them.  So each step is taken by this module for the whole, made  *)
(* of the parts that Controller's actions are made of, and what it does to *)
(* each partition must be the action of its name of an instance of         *)
(* Controller for that partition (Takes).  Then what was observed must     *)
(* agree with it.  What a broker is and knows is what its request says,    *)
(* and of other brokers what their heartbeats have said before: the        *)
(* controller knows no more.  For the brokers themselves, whether they     *)
(* hold a partition or not, stands a partition that all of them hold and   *)
(* that is never led (Everywhere).                                         *)
(*                                                                         *)
(* Each node that acts as the controller is followed by itself, one that   *)
(* was replaced and does not know it, too.  What Controller leaves out and *)
(* a run may show has an action here:                                      *)
(*   Activate   a controller begins, with what was decided as far as the   *)
(*              log of its node holds it: all that is committed at least   *)
(*   Deactivate, Die   what it had decided without the others is gone      *)
(*   Beat       a heartbeat that decides nothing, and must not             *)
(*   Amend      the same life of a broker registers again                  *)
(*   Refused    a request is refused for a reason that no variable has     *)
(*   HandleCreateTopics, HandleCreatePartitions, HandleDeleteTopics,       *)
(*   HandleAlterConfigs, HandleUpdateFeatures   partitions come and go and *)
(*              settings change as the line says; a partition begins as in *)
(*              State                                                      *)
(*   Append     records that no variable of Controller is about            *)
(*                                                                         *)
(* It is held against what the traces say of the quorum, too, as Cluster   *)
(* has the two joined: a leader's log takes what its controller has        *)
(* decided and nothing else, batch by batch (AppendMetadata); a controller *)
(* believes committed what its node's quorum does, and no broker says that *)
(* it has applied more.                                                    *)
(*                                                                         *)
(* Several traces that begin alike are one run of TLC, as in TracePartition.*)
(***************************************************************************)
EXTENDS Types, TLC

CONSTANTS
    Start,     \* the state that the trace begins in: a record of the variables
    Steps,     \* of trace 0: Seq of [do, at, x, see, keep]; see is Nil where nothing was observed
    Variants,  \* of the others: Seq of [from, steps, resume]: after from steps of trace 0 its own, then those of 0 from resume
    EndsAs,    \* the state that the next segment of trace 0 starts in; Nil where this is the last one
    Unseen,    \* the step of trace 0 whose observation is not compared, to show what the specification expects; 0 for none
    Brokers    \* Seq of all brokers

VARIABLES
    trace,  \* which trace is followed
    pos,    \* how many of its steps are taken
    term,   \* term[n]: what the active controller n has decided (below); Nil where n is none
    made    \* what was decided so far and may be what the next controller begins with: records [epoch, end, image]

(* A term is an image, with its epoch, the committed length hw of the metadata log, its end, and                         *)
(*   taken     the end of what the log of its node has taken of that                                                      *)
(*   told[b]   the metadata offset that b has said it has applied; -1 where it has said nothing                          *)
(* An image is what the metadata says:                                                                                   *)
(*   elr           ELR is on                                                                                             *)
(*   assignment[p], part[p], minIsr[p], unclean[p]   of each partition                                                   *)
(*   reg[b]        of each broker that is registered; its epoch is an offset, as in the code                             *)
(*   leave[b]      the offset of the last record of the batch that has b shutting down; -1 where it is not               *)
(*   at[b]         the offset of its last registration                                                                   *)

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
(* Controller for one partition v in the step i: its metadata log is `before` before that step and `after` after it.    *)
(* `asks` is what the request says of its sender, and what else the action reads.                                        *)

Members == Range(Brokers)
All(value) == [b \in Members |-> value]

C(v, i, before, after, asks) == INSTANCE Controller WITH
    Assignment <- v.assignment, ElrEnabled <- v.elr, UncleanElection <- v.unclean,
    MinIsr <- v.minIsr, InitialLeaders <- {}, InitialIsr <- {}, InitialRecords <- 0,
    FlushEveryMessage <- FALSE, BackgroundFlush <- FALSE, Acks <- {}, TrackLag <- FALSE, CommitAtOnce <- FALSE,
    LateAnswers <- FALSE, LateReads <- FALSE, Crashable <- {}, Budget <- <<>>,
    metaLog <- IF pos < i THEN before ELSE after, metaHw <- 1,
    up <- asks.up, incarnation <- asks.incarnation, brokerEpoch <- asks.brokerEpoch, applied <- asks.applied,
    log <- All(<<>>), logStart <- All(0), flushed <- All(0), hw <- All(0),
    epochStart <- All(Nil), follower <- All(Nil), isrState <- asks.isrState, pendingAcks <- All({}),
    fetchResp <- All(Nil), apResp <- IF pos < i THEN All(Nil) ELSE asks.apResp, ghosts <- {},
    acked <- {}, exposed <- {}, committed <- {},
    budget <- [fences |-> 1, shutdowns |-> IF pos >= i /\ asks.spends = "shutdowns" THEN 0 ELSE 1,
               elections |-> IF pos >= i /\ asks.spends = "elections" THEN 0 ELSE 1,
               minIsrChanges |-> IF pos >= i /\ asks.spends = "minIsrChanges" THEN 0 ELSE 1]

Nothing == [up |-> All("down"), incarnation |-> All(""), brokerEpoch |-> All(1), applied |-> All(1), isrState |-> All(Nil),
            apResp |-> All(Nil), spends |-> ""]

\* Its decisions, which no step is needed for.
DefaultMode(v) == C(v, 0, <<>>, <<>>, Nothing)!DefaultMode
Change(v, img, mode, target, active) == C(v, 0, <<>>, <<img>>, Nothing)!Change(img, mode, target, v.part.recovery, active, {})
Without(v, img, b, untrusted) == C(v, 0, <<>>, <<img>>, Nothing)!Without(img, b, untrusted)
ActiveSet(v, img) == C(v, 0, <<>>, <<img>>, Nothing)!ActiveSet(img)
Refusal(v, img, r) == C(v, 0, <<>>, <<img>>, Nothing)!Refusal(r)
AfterAlterPartition(v, img, r) == C(v, 0, <<>>, <<img>>, Nothing)!AfterAlterPartition(r)
PartitionRecord(v, img, q) == C(v, 0, <<>>, <<img>>, Nothing)!PartitionRecord(img, q, TRUE)
PartitionThenBroker(v, img, q, b, r) == C(v, 0, <<>>, <<img>>, Nothing)!PartitionThenBroker(img, q, b, r)
BrokerThenPartition(v, img, b, r, q) == C(v, 0, <<>>, <<img>>, Nothing)!BrokerThenPartition(img, b, r, q)

Everywhere == "everywhere"
NeverLed == [leader |-> Nil, leaderEpoch |-> 0, partitionEpoch |-> 0, isr |-> {}, elr |-> {}, lastKnownElr |-> Nil,
             recovery |-> "RECOVERED"]

Of(t, p) ==
    IF p = Everywhere
    THEN [assignment |-> Brokers, elr |-> FALSE, unclean |-> FALSE, part |-> NeverLed, minIsr |-> 1]
    ELSE [assignment |-> t.assignment[p], elr |-> t.elr, unclean |-> t.unclean[p], part |-> t.part[p], minIsr |-> t.minIsr[p]]

Partitions(t) == DOMAIN t.part
HeldBy(t, b) == {p \in Partitions(t) : b \in Range(t.assignment[p])}
Leaderless(t) == {p \in Partitions(t) : t.part[p].leader = Nil}

\* Of a broker that was never registered: as if another life of it had been fenced.
Nobody == [epoch |-> -2, incarnation |-> "", fenced |-> TRUE, shuttingDown |-> FALSE]
Known(t, b) == IF b \in DOMAIN t.reg THEN t.reg[b] ELSE Nobody
IsActive(t, b) == ~Known(t, b).fenced /\ ~Known(t, b).shuttingDown

\* In an instance each broker is registered in the record that its metadata log ends with, which is its second.
Image(t, v) == [type |-> "init", broker |-> Nil, last |-> TRUE, part |-> v.part, minIsr |-> v.minIsr,
                reg |-> [b \in Members |-> [Known(t, b) EXCEPT !.epoch = 2]]]
EpochOf(t, b, e) == IF b \in DOMAIN t.reg /\ e = t.reg[b].epoch THEN 2 ELSE IF e = -1 THEN -1 ELSE 1

\* The first says in which epoch a sender leads, and otherwise nothing.
Before(t, v, leaderEpoch) ==
    LET img == Image(t, v) IN <<[img EXCEPT !.last = FALSE, !.part.leaderEpoch = leaderEpoch], img>>

-----------------------------------------------------------------------------
(* Decisions on the whole.  Each says what becomes of the term, which partitions and which broker the batch is about,    *)
(* whether the broker's record comes first, how many records it has, and what is answered.                               *)

Decision(t2, parts, b, first, records, answer) ==
    [term |-> [t2 EXCEPT !.end = @ + records], parts |-> parts, broker |-> b, first |-> first, records |-> records,
     answer |-> answer]
Nowhere == {}
Only(t, answer) == {Decision(t, {}, Nil, FALSE, 0, answer)}

\* The partitions S as new has them.
Changed(t, S, new(_)) == {p \in S : new(p) # t.part[p]}
Updated(t, S, new(_)) == [p \in Partitions(t) |-> IF p \in S THEN new(p) ELSE t.part[p]]

\* b leaves the ISRs that it is in, and is registered as r: a record of its own, before the others or after them.
Leaves(t, b, r, first, answer) ==
    LET S == {p \in HeldBy(t, b) : b \in t.part[p].isr}
        new(p) == LET v == Of(t, p) IN Without(v, Image(t, v), b, {})
        parts == Changed(t, S, new)
        leave == IF r.shuttingDown THEN IF t.leave[b] >= 0 THEN t.leave[b] ELSE t.end + Cardinality(parts) ELSE -1
    IN Decision([t EXCEPT !.part = Updated(t, S, new), !.reg[b] = r, !.leave[b] = leave],
                parts, b, first, Cardinality(parts) + 1, answer)

\* It is the life of its own process that registers, and what it says of the one before it has been, or nothing.
Itself(t, x) == x.lives /\ x.previousBrokerEpoch \in x.had \cup {-1, Known(t, x.broker).epoch}

Registers(t, x) ==
    LET b == x.broker
        untrusted == b \in DOMAIN t.reg /\ x.previousBrokerEpoch # t.reg[b].epoch /\ t.elr
        S == {p \in HeldBy(t, b) : b \in t.part[p].isr \/ (untrusted /\ b \in t.part[p].elr)}
        new(p) == LET v == Of(t, p) IN Without(v, Image(t, v), b, IF untrusted THEN {b} ELSE {})
        parts == Changed(t, S, new)
        epoch == t.end + Cardinality(parts)
        r == [epoch |-> epoch, incarnation |-> x.incarnation, fenced |-> TRUE, shuttingDown |-> FALSE]
    IN IF ~Itself(t, x) THEN Nowhere
       ELSE {Decision([t EXCEPT !.part = Updated(t, S, new), !.reg = (b :> r) @@ @, !.leave = (b :> -1) @@ @,
                                !.at = (b :> epoch) @@ @, !.told = (b :> -1) @@ @],
                      parts, b, FALSE, Cardinality(parts) + 1, [error |-> "NONE", brokerEpoch |-> epoch])}

Amends(t, x) ==
    LET b == x.broker
    IN IF Known(t, b).incarnation # x.incarnation \/ ~Itself(t, x) THEN Nowhere
       ELSE {Decision([t EXCEPT !.at[b] = t.end], {}, b, FALSE, 1, [error |-> "NONE", brokerEpoch |-> t.reg[b].epoch])}

\* What is answered to a heartbeat that has b registered as r.
Alive(t, x, r) == [error |-> "NONE", caughtUp |-> x.metadataOffset >= t.at[x.broker], fenced |-> r.fenced,
                   shouldShutDown |-> (x.want = "shutdown" \/ t.reg[x.broker].shuttingDown) /\ r.fenced]

\* Nobody applies more than what the quorum has told it of, which is committed.
Honest(x) == x.metadataOffset < x.committed

Heard(t, x) == [t EXCEPT !.told[x.broker] = Max(@, x.metadataOffset)]

Unfences(t, x) ==
    LET b == x.broker
        r == [t.reg[b] EXCEPT !.fenced = FALSE]
        new(p) == LET v == Of(t, p) img == Image(t, v)
                  IN Change(v, img, DefaultMode(v), v.part.isr, ActiveSet(v, img) \cup ({b} \cap Range(v.assignment)))
        parts == Changed(t, Leaderless(t), new)
    IN {Decision([Heard(t, x) EXCEPT !.part = Updated(t, Leaderless(t), new), !.reg[b] = r],
                 parts, b, TRUE, Cardinality(parts) + 1, Alive(t, x, r))}

Beats(t, x) ==
    LET r == t.reg[x.broker]
    IN CASE x.broker \notin DOMAIN t.reg \/ ~Honest(x) -> Nowhere
         [] x.want = "run" -> Unfences(t, x)
         [] x.want = "shutdown" /\ ~r.shuttingDown ->
              LET s == [r EXCEPT !.shuttingDown = TRUE] IN {Leaves(Heard(t, x), x.broker, s, TRUE, Alive(t, x, s))}
         [] x.want = "shutdown" ->
              LET s == [r EXCEPT !.fenced = TRUE] IN {Leaves(Heard(t, x), x.broker, s, FALSE, Alive(t, x, s))}
         [] OTHER -> Nowhere

\* Nothing is to be done: whoever wants to run does so or knows too little, whoever wants to stop waits for the others.
Beat(t, x) ==
    LET r == t.reg[x.broker]
    IN IF /\ x.broker \in DOMAIN t.reg /\ x.brokerEpoch = r.epoch /\ Honest(x)
          /\ ~(x.want = "run" /\ r.fenced /\ ~r.shuttingDown /\ x.metadataOffset >= t.at[x.broker])
          /\ ~(x.want = "shutdown" /\ ~r.fenced /\ ~r.shuttingDown)
          /\ ~(x.want = "fence" /\ ~r.fenced)
       THEN Only(Heard(t, x), Alive(t, x, r)) ELSE Nowhere

\* For reasons that no variable has.
OtherRefusals == {"INCONSISTENT_CLUSTER_ID", "INVALID_REGISTRATION", "UNSUPPORTED_VERSION"}

\* A reason to refuse that the variables tell is there; of others the line is believed.
Refused(t, x) ==
    IF CASE x.registers /\ ~Itself(t, x) -> FALSE
         [] x.error = "STALE_BROKER_EPOCH" -> Known(t, x.broker).epoch # x.brokerEpoch
         [] x.error = "DUPLICATE_BROKER_REGISTRATION" -> x.broker \in DOMAIN t.reg /\ t.reg[x.broker].incarnation # x.incarnation
         [] OTHER -> x.error \in OtherRefusals
    THEN Only(t, [error |-> x.error]) ELSE Nowhere

\* The change of a partition that an item of x asks for.
Request(t, x, p) ==
    LET item == x.items[p]
    IN [type |-> "alterPartition", from |-> x.broker, brokerEpoch |-> EpochOf(t, x.broker, x.brokerEpoch),
        leaderEpoch |-> item.leaderEpoch, partitionEpoch |-> item.partitionEpoch, isr |-> DOMAIN item.isr,
        epochs |-> [b \in DOMAIN item.isr |-> EpochOf(t, b, item.isr[b])]]

Alters(t, x) ==
    LET asked == DOMAIN x.items
        here == asked \cap Partitions(t)
        error(p) == LET v == Of(t, p) IN Refusal(v, Image(t, v), Request(t, x, p))
        new(p) == LET v == Of(t, p)
                  IN IF error(p) = "NONE" THEN AfterAlterPartition(v, Image(t, v), Request(t, x, p)) ELSE v.part
        parts == Changed(t, here, new)
        told(p) == IF p \notin here
                   THEN [error |-> IF EpochOf(t, x.broker, x.brokerEpoch) = 2 THEN x.items[p].unknown ELSE "STALE_BROKER_EPOCH"]
                   ELSE IF error(p) # "NONE" THEN [error |-> error(p)]
                   ELSE [error |-> "NONE", leaderEpoch |-> new(p).leaderEpoch, partitionEpoch |-> new(p).partitionEpoch,
                         isr |-> new(p).isr]
    IN IF x.broker \notin Members THEN Nowhere
       ELSE {Decision([t EXCEPT !.part = Updated(t, here, new)], parts, Nil, FALSE, Cardinality(parts),
                      [p \in asked |-> told(p)])}

Elected(t, p, mode) == LET v == Of(t, p) img == Image(t, v) IN Change(v, img, mode, v.part.isr, ActiveSet(v, img))

Elects(t, x) ==
    LET asked == IF x.all THEN Partitions(t) ELSE DOMAIN x.elected \cap Partitions(t)
        needed(p) == IF x.mode = "UNCLEAN" THEN t.part[p].leader = Nil ELSE t.part[p].leader # t.assignment[p][1]
        new(p) == IF needed(p) THEN Elected(t, p, x.mode) ELSE t.part[p]
        parts == Changed(t, asked, new)
        error(p) == IF ~needed(p) THEN "ELECTION_NOT_NEEDED" ELSE IF p \in parts THEN "NONE"
                    ELSE IF x.mode = "UNCLEAN" THEN "ELIGIBLE_LEADERS_NOT_AVAILABLE" ELSE "PREFERRED_LEADER_NOT_AVAILABLE"
        named == {p \in asked : ~x.all \/ needed(p)}
    IN {Decision([t EXCEPT !.part = Updated(t, asked, new)], parts, Nil, FALSE, Cardinality(parts),
                 [error |-> "NONE", elected |-> [p \in named |-> error(p)]])}

ByTimer(t, S, mode) ==
    LET new(p) == Elected(t, p, mode)
        parts == Changed(t, S, new)
    IN {Decision([t EXCEPT !.part = Updated(t, S, new)], parts, Nil, FALSE, Cardinality(parts), Nil)}

\* What settings do to partitions, by their own records or by those that clear the ELR.
Cleared(t, S) ==
    [p \in Partitions(t) |->
        IF p \in S /\ (t.part[p].elr # {} \/ t.part[p].lastKnownElr # Nil)
        THEN [t.part[p] EXCEPT !.elr = {}, !.lastKnownElr = Nil, !.partitionEpoch = @ + 1] ELSE t.part[p]]

\* As InitialImage of State has it: the ISR is whoever is active, the first of them leads.
Created(t, assignment) ==
    LET v == [assignment |-> assignment, elr |-> FALSE, unclean |-> FALSE, part |-> NeverLed, minIsr |-> 1]
        isr == ActiveSet(v, Image(t, v))
    IN [NeverLed EXCEPT !.isr = isr, !.leader = C(v, 0, <<>>, <<>>, Nothing)!FirstOf(isr)]

\* To brokers that there are.
Assigned(assignment) == \A p \in DOMAIN assignment : Range(assignment[p]) \subseteq Members

Settles(t, x) ==
    LET new == DOMAIN x.created
        stay == Partitions(t) \ x.removed
        cleared == Cleared(t, x.cleared)
        of(told, old) == [p \in stay \cup new |-> IF p \in DOMAIN told THEN told[p] ELSE old[p]]
    IN IF new \cap stay # {} \/ ~Assigned(x.created) \/ x.named # new \/ x.unknown # {} THEN Nowhere
       ELSE {Decision([t EXCEPT !.assignment = of(x.created, @),
                                !.part = [p \in stay \cup new |-> IF p \in new THEN Created(t, x.created[p]) ELSE cleared[p]],
                                !.minIsr = of(x.minIsr, @), !.unclean = of(x.unclean, @), !.elr = x.elr],
                      {}, Nil, FALSE, x.records, Nil)}

\* The oldest batch that the quorum has not got goes to it, whole.
HandsOver(t) ==
    LET ends == {m.end : m \in {k \in made : k.epoch = t.epoch /\ k.end > t.taken}}
        end == CHOOSE e \in ends : \A other \in ends : e <= other
        records == end - t.taken
    IN IF ends = {} THEN Nowhere
       ELSE Only([t EXCEPT !.taken = end], [records |-> records, end |-> end, appended |-> <<<<t.epoch, records>>>>])

\* What the quorum's replica on its node says is committed, which is whole batches of those that its log has taken.
Commits(t, x) ==
    IF x.committed > t.hw /\ x.committed <= t.taken /\ \E m \in made : m.epoch = t.epoch /\ m.end = x.committed
    THEN Only([t EXCEPT !.hw = x.committed], [hw |-> x.committed]) ELSE Nowhere

\* With nothing that is known before, as the line says.
Activates(t, x) ==
    LET bases == IF made = {} THEN {x.image} ELSE {m.image : m \in {k \in made : k.epoch = x.base.epoch /\ k.end = x.base.end}}
    IN {Decision([epoch |-> x.epoch, hw |-> x.nextOffset, end |-> x.nextOffset, taken |-> x.nextOffset, told |-> All(-1), elr |-> i.elr,
                  assignment |-> i.assignment, part |-> i.part, minIsr |-> i.minIsr, unclean |-> i.unclean, reg |-> i.reg,
                  leave |-> i.leave, at |-> i.at], {}, Nil, FALSE, x.records, Nil) : i \in {k \in bases : t = Nil /\ x.nextOffset <= x.committed /\ Assigned(k.assignment)}}

Decisions(s, t) ==
    LET x == s.x
    IN CASE s.do = "Activate" -> Activates(t, x)
         [] s.do \in {"Deactivate", "Die"} -> IF t = Nil THEN Nowhere ELSE {[term |-> Nil]}
         [] t = Nil -> Nowhere
         [] s.do \in {"HandleBrokerRegistration", "Amend", "HandleBrokerHeartbeat", "Beat", "BrokerSessionTimeout", "Refused"}
                /\ x.broker \notin Members -> Nowhere
         [] s.do = "HandleBrokerRegistration" -> Registers(t, x)
         [] s.do = "Amend" -> Amends(t, x)
         [] s.do = "HandleBrokerHeartbeat" -> Beats(t, x)
         [] s.do = "Beat" -> Beat(t, x)
         [] s.do = "BrokerSessionTimeout" ->
              IF x.broker \in DOMAIN t.reg THEN {Leaves(t, x.broker, [t.reg[x.broker] EXCEPT !.fenced = TRUE], FALSE, Nil)}
              ELSE Nowhere
         [] s.do = "Refused" -> Refused(t, x)
         [] s.do = "HandleAlterPartition" -> Alters(t, x)
         [] s.do = "HandleElectLeaders" -> Elects(t, x)
         [] s.do = "PreferredLeaderTimeout" ->
              ByTimer(t, {p \in Partitions(t) : t.part[p].leader # t.assignment[p][1]}, "PREFERRED")
         [] s.do = "UncleanElectionTimeout" -> ByTimer(t, {p \in Leaderless(t) : t.unclean[p]}, "UNCLEAN")
         [] s.do = "AppendMetadata" -> HandsOver(t)
         [] s.do = "CommitMetadata" -> Commits(t, x)
         [] s.do \in {"HandleAlterMinIsr", "HandleCreateTopics", "HandleCreatePartitions", "HandleDeleteTopics",
                      "HandleAlterConfigs", "HandleUpdateFeatures", "Append"} -> Settles(t, x)
         [] OTHER -> Nowhere  \* no action of the specification

-----------------------------------------------------------------------------
(* What a decision does to a partition is a step of Controller. *)

NewPart(v, d, p) == IF p = Everywhere THEN v.part ELSE d.term.part[p]

\* The records of the batch that are about the partition, with its broker's registered as r.
Batch(v, img, q, d, r) ==
    IF d.broker = Nil THEN IF q = v.part THEN <<>> ELSE <<PartitionRecord(v, img, q)>>
    ELSE IF d.first THEN BrokerThenPartition(v, img, d.broker, r, q) ELSE PartitionThenBroker(v, img, q, d.broker, r)

After(t, v, d, p) ==
    LET img == Image(t, v)
        q == NewPart(v, d, p)
        new == d.broker # Nil /\ d.term.reg[d.broker].epoch # Known(t, d.broker).epoch
        r == IF d.broker = Nil THEN Nobody
             ELSE [d.term.reg[d.broker] EXCEPT !.epoch = IF ~new THEN 2 ELSE IF q = v.part THEN 3 ELSE 4]
    IN Before(t, v, 0) \o Batch(v, img, q, d, r)

Heartbeat(t, x, d) ==
    LET offset(a) == d.term.told[a]
        since(a) == IF x.want = "run" THEN Known(t, a).epoch ELSE t.leave[x.broker]
    IN [Nothing EXCEPT !.up = All("running"), !.brokerEpoch = [a \in Members |-> EpochOf(t, a, x.brokerEpoch)],
                       !.applied = [a \in Members |-> IF offset(a) >= since(a) THEN 2 ELSE 1],
                       !.spends = IF x.want = "shutdown" /\ IsActive(t, x.broker) THEN "shutdowns" ELSE ""]

Registration(t, x) ==
    [Nothing EXCEPT !.up = All("starting"), !.incarnation = All(x.incarnation),
                    !.brokerEpoch = [b \in Members |-> IF EpochOf(t, b, x.previousBrokerEpoch) = 2 THEN 2 ELSE 1]]

AlterPartition(t, x, d, p, end) ==
    LET r == Request(t, x, p)
        a == d.answer[p]
        q == d.term.part[p]
    IN [Nothing EXCEPT !.up = All("running"), !.brokerEpoch = All(r.brokerEpoch),
            !.isrState = [All(Nil) EXCEPT ![x.broker] =
                [isr |-> {}, partitionEpoch |-> r.partitionEpoch, pending |-> [isr |-> r.isr, epochs |-> r.epochs]]],
            !.apResp = [All(Nil) EXCEPT ![x.broker] =
                [error |-> a.error, leaderEpoch |-> q.leaderEpoch, partitionEpoch |-> q.partitionEpoch, isr |-> q.isr,
                 offset |-> end]]]

\* Where a change of the minimal ISR clears the ELR it is one batch.
MinIsrBatch(t, v, d, p) ==
    LET img == Image(t, v)
        q == d.term.part[p]
        first == [img EXCEPT !.type = "minIsr", !.minIsr = d.term.minIsr[p], !.last = q = v.part]
    IN Before(t, v, 0) \o (IF q = v.part THEN <<first>> ELSE <<first, PartitionRecord(v, first, q)>>)

Spending(kind) == [Nothing EXCEPT !.spends = kind]

Takes(s, i, t, d) ==
    LET x == s.x
    IN CASE s.do = "HandleBrokerRegistration" ->
              \A p \in HeldBy(t, x.broker) \cup {Everywhere} : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), After(t, v, d, p), Registration(t, x))!HandleBrokerRegistration(x.broker)
         [] s.do = "HandleBrokerHeartbeat" ->
              /\ \A p \in HeldBy(t, x.broker) \cup {Everywhere} : LET v == Of(t, p) IN
                   C(v, i, Before(t, v, 0), After(t, v, d, p), Heartbeat(t, x, d))!HandleBrokerHeartbeat(x.broker, x.want)
              \* It is not about b, but elections are tried where nobody leads.
              /\ \A p \in d.parts \ HeldBy(t, x.broker) : LET v == Of(t, p) IN
                   C(v, i, Before(t, v, 0), After(t, v, [d EXCEPT !.broker = Nil], p), Nothing)!UncleanElectionTimeout
         [] s.do = "BrokerSessionTimeout" ->
              \A p \in HeldBy(t, x.broker) \cup {Everywhere} : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), After(t, v, d, p), Nothing)!BrokerSessionTimeout(x.broker)
         [] s.do = "HandleAlterPartition" ->
              \A p \in DOMAIN x.items \cap Partitions(t) :
                LET v == Of(t, p)
                    before == Before(t, v, x.items[p].leaderEpoch)
                    after == before \o Batch(v, Image(t, v), d.term.part[p], d, Nobody)
                IN C(v, i, before, after, AlterPartition(t, x, d, p, Len(after)))!HandleAlterPartition(x.broker)
         [] s.do = "HandleElectLeaders" ->
              \A p \in d.parts : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), After(t, v, d, p), Spending("elections"))!HandleElectLeaders(x.mode)
         [] s.do = "PreferredLeaderTimeout" ->
              \A p \in d.parts : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), After(t, v, d, p), Spending("elections"))!PreferredLeaderTimeout
         [] s.do = "UncleanElectionTimeout" ->
              \A p \in d.parts : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), After(t, v, d, p), Nothing)!UncleanElectionTimeout
         [] s.do = "HandleAlterMinIsr" ->
              \A p \in {k \in Partitions(t) : d.term.minIsr[k] # t.minIsr[k]} : LET v == Of(t, p) IN
                C(v, i, Before(t, v, 0), MinIsrBatch(t, v, d, p), Spending("minIsrChanges"))!HandleAlterMinIsr(d.term.minIsr[p])
         [] OTHER -> TRUE

-----------------------------------------------------------------------------
(* What was observed. *)

\* Of the values `new`, of which before the step those in `old` were told, what a line that tells `told` has to tell.
Told(new, old, told) ==
    [p \in {q \in DOMAIN new : q \in DOMAIN told \/ q \notin DOMAIN old \/ new[q] # old[q]} |-> new[p] ]

\* Of what kinds the records are where Controller has no record.
Kinds(action) ==
    CASE action = "HandleCreateTopics" -> {"Topic", "Config", "Partition"}
      [] action = "HandleCreatePartitions" -> {"Partition"}
      [] action = "HandleDeleteTopics" -> {"RemoveTopic"}
      [] action \in {"HandleAlterMinIsr", "HandleAlterConfigs"} -> {"Config", "ClearElr"}
      [] action = "HandleUpdateFeatures" -> {"FeatureLevel", "Config", "ClearElr"}
      [] action = "Append" -> {"ProducerIds", "RegisterController"}
      [] action = "Activate" -> {"AbortTransaction", "FeatureLevel", "Config"}
      [] OTHER -> {}

\* What a line of the step has to say, under the names that observations have; `was` is the term before, or Nil.
Expected(s, was, d) ==
    LET t == d.term
        none == [part |-> <<>>, assignment |-> <<>>, minIsr |-> <<>>, unclean |-> <<>>, reg |-> <<>>]
        o == IF was = Nil THEN none ELSE was
    IN [controllerEpoch |-> t.epoch, metaHw |-> t.hw, elrEnabled |-> t.elr,
        base |-> IF d.records = 0 THEN -1 ELSE t.end - d.records, records |-> d.records,
        appended |-> IF Kinds(s.do) # {} THEN s.see.appended \cap Kinds(s.do)
                     ELSE [broker |-> d.broker, first |-> d.first /\ d.records > 1, parts |-> d.parts],
        part |-> Told(t.part, o.part, s.see.part), assignment |-> Told(t.assignment, o.assignment, s.see.assignment),
        minIsr |-> Told(t.minIsr, o.minIsr, s.see.minIsr), unclean |-> Told(t.unclean, o.unclean, s.see.unclean),
        reg |-> Told(t.reg, o.reg, s.see.reg),
        answer |-> d.answer, requires |-> IF s.see.requires = Nil /\ (d.answer = Nil \/ s.do \in {"AppendMetadata", "CommitMetadata"}) THEN Nil ELSE t.end]

Agrees(s, t, d) ==
    IF s.see = Nil THEN TRUE
    ELSE LET e == Expected(s, t, d) IN \A name \in DOMAIN e : e[name] = s.see[name]

-----------------------------------------------------------------------------
(* For whoever has to find out why a step is not possible. *)

ShowExpected(s, t, d) ==
    IF s.see = Nil THEN TRUE
    ELSE LET e == Expected(s, t, d)
         IN \A name \in DOMAIN e : PrintT(ToString(<<"@expected", name, e[name]>>))

Right(t, b, want) == [broker |-> b, want |-> want, brokerEpoch |-> t.reg[b].epoch, metadataOffset |-> t.told[b],
                       committed |-> t.end]

ShowEnabled(name, s, i, t) ==
    IF \E d \in Decisions(s, t) : ENABLED (pos' = pos + 1 /\ (d.records > 0 /\ Takes(s, i, t, d)) = TRUE)
    THEN PrintT(ToString(<<"@enabled", name>>)) ELSE TRUE

Step(action, x) == [do |-> action, x |-> x]

\* What the controller might have done instead, about the broker that the line is about.
ShowInstead(i, s, t) ==
    IF t = Nil THEN PrintT(ToString(<<"@enabled", "Activate">>))
    ELSE /\ IF "broker" \in DOMAIN s.x /\ s.x.broker \in DOMAIN t.reg
            THEN /\ \A want \in {"run", "shutdown"} :
                      ShowEnabled("HandleBrokerHeartbeat", Step("HandleBrokerHeartbeat", Right(t, s.x.broker, want)), i, t)
                 /\ ShowEnabled("BrokerSessionTimeout", Step("BrokerSessionTimeout", [broker |-> s.x.broker]), i, t)
                 /\ ShowEnabled("HandleBrokerRegistration", Step("HandleBrokerRegistration",
                        [broker |-> s.x.broker, incarnation |-> "another", previousBrokerEpoch |-> -1, lives |-> TRUE, had |-> {}]), i, t)
            ELSE TRUE
         /\ ShowEnabled("PreferredLeaderTimeout", Step("PreferredLeaderTimeout", Nil), i, t)
         /\ ShowEnabled("UncleanElectionTimeout", Step("UncleanElectionTimeout", Nil), i, t)
         /\ IF \E m \in made : m.epoch = t.epoch /\ m.end > t.hw /\ m.end <= t.taken
            THEN PrintT(ToString(<<"@enabled", "CommitMetadata">>)) ELSE TRUE
         /\ IF HandsOver(t) # Nowhere THEN PrintT(ToString(<<"@enabled", "AppendMetadata">>)) ELSE TRUE

-----------------------------------------------------------------------------
(* The end of a segment is the start of the next one. *)

EndIs(name, here, there) ==
    \/ here = there
    \/ PrintT(ToString(<<"@expected", name, here>>)) /\ PrintT(ToString(<<"@observed", name, there>>)) /\ FALSE

Ends == EndIs("term", term', EndsAs.term) /\ EndIs("made", made', EndsAs.made)

-----------------------------------------------------------------------------
(* Behaviours *)

ImageOf(t) == [elr |-> t.elr, assignment |-> t.assignment, part |-> t.part, minIsr |-> t.minIsr, unclean |-> t.unclean,
               reg |-> t.reg, leave |-> t.leave, at |-> t.at]

\* What is committed is in the log of each later controller: of what was decided before it nothing is needed any more.
Made(s, d) ==
    LET t == d.term
    IN IF t = Nil THEN made
       ELSE LET new == IF d.records > 0 \/ s.do = "Activate" THEN {[epoch |-> t.epoch, end |-> t.end, image |-> ImageOf(t)]} ELSE {}
                gone == IF s.do = "CommitMetadata" THEN {m \in made : m.epoch < t.epoch \/ m.end < t.hw}
                        ELSE IF s.do = "Activate" THEN {m \in made : m.epoch <= t.epoch /\ m.end < t.hw} ELSE {}
            IN (made \ gone) \cup new

Follow(j) ==
    /\ pos < StepsOf(j)
    /\ trace' = j /\ pos' = pos + 1
    /\ \E s \in {StepAt(j, pos + 1)}, i \in {pos + 1} :
         /\ s.at \in DOMAIN term
         /\ \E t \in {term[s.at]} : \E d \in Decisions(s, t) :
              /\ Takes(s, i, t, d) = TRUE
              /\ IF j = 0 /\ i = Unseen THEN ShowExpected(s, t, d) ELSE Agrees(s, t, d)
              /\ term' = [term EXCEPT ![s.at] = d.term]
              /\ made' = Made(s, d)
    /\ EndsAs # Nil /\ j = 0 /\ pos + 1 = StepsOf(0) /\ Unseen = 0 => Ends
    /\ PrintT(<<"@followed", j, pos + 1>>)

TraceInit == term = Start.term /\ made = Start.made /\ trace = 0 /\ pos = 0

TraceNext ==
    \/ /\ trace = 0 /\ pos + 1 = Unseen
       /\ \E s \in {Recorded[Unseen]}, i \in {Unseen} : s.at \in DOMAIN term /\ \E t \in {term[s.at]} : ShowInstead(i, s, t)
       /\ FALSE
    \/ (Unseen = 0 \/ pos < Unseen) /\ Follow(trace)
    \/ trace = 0 /\ \E j \in DOMAIN Others : Others[j].from = pos /\ Follow(j)

TraceSpec == TraceInit /\ [][TraceNext]_<<trace, pos, term, made>>
=============================================================================
