----------------------------- MODULE TraceQuorum -----------------------------
(***************************************************************************)
(* What a run of the code has done to its metadata quorum, as a behaviour  *)
(* of Quorum.  The steps are data, made from the lines of a trace          *)
(* (io.tidemark.conformance.trace).  Each step takes the action of its     *)
(* name, and where it was observed the variables of who acted must agree   *)
(* with what the line says of them.                                        *)
(*                                                                         *)
(* The network of a run loses, repeats and delays more than Quorum does.   *)
(* What Quorum leaves out and a run may show has an action here, made of   *)
(* the same parts as Quorum's:                                             *)
(*   Arrive     a request that was sent arrives although nobody waits for  *)
(*              its answer: a ghost, of which there may be any number      *)
(*   Ignored    such a request changes nothing: no step of Quorum either   *)
(*   MetadataRead     a fetch that waited is answered anew, and not        *)
(*              counted again                                              *)
(*   AskAnybody a broker that does not hear its leader asks another node   *)
(*   PartialAnswer    an answer holds less than the leader has             *)
(*   NoNews     an answer without news, as a fetch gets at the end of its  *)
(*              wait                                                       *)
(*   KnownNews  a leader says what is known of it                          *)
(*   Again      a round of pre-votes that nobody has answered begins anew  *)
(*   OwnVote    the only voter need not wait for anybody's vote            *)
(*   Die        a process or its machine stops; the next one knows of as   *)
(*              much of its log that it is on disk as its files say, and   *)
(*              a ballot that nobody has heard of may be gone: in Quorum   *)
(*              that step was not taken                                    *)
(*                                                                         *)
(* Several traces that begin alike are one run of TLC, as in TracePartition.*)
(***************************************************************************)
EXTENDS Quorum, TLC

CONSTANTS
    Start,     \* the state that the trace begins in: a record of the variables
    Steps,     \* of trace 0: Seq of [do, at, x, see, keep]; see is Nil where nothing was observed
    Variants,  \* of the others: Seq of [from, steps, resume]: after from steps of trace 0 its own, then those of 0 from resume
    EndsAs,    \* the state that the next segment of trace 0 starts in; Nil where this is the last one
    Unseen     \* the step of trace 0 whose observation is not compared, to show what the specification expects; 0 for none

VARIABLES
    trace,  \* which trace is followed
    pos,    \* how many of its steps are taken
    sent,   \* requests that will arrive although their sender does not wait for an answer
    earlier \* earlier[v]: ballots that v has left and may come up with all the same, since nobody has heard of a later one

traceVars == <<trace, pos, sent, earlier>>

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

\* For VotersOf: the code has no changes of voters, and a log that holds nothing does not tell of those that there are.
VotersTold(lg) == IF ~Static /\ lg = <<>> THEN {} ELSE {<<n, 0>> : n \in InitVoters}

\* For MaxOf, which looks at each pair of a set that has all numbers up to its greatest: of a set of numbers from -1 to 2^20.
RECURSIVE Between(_, _, _)
Between(S, low, high) ==
    IF low = high THEN low
    ELSE LET mid == (low + high + 1) \div 2
         IN IF \E x \in S : x >= mid THEN Between(S, mid, high) ELSE Between(S, low, mid - 1)
Greatest(S) == Between(S, -1, 1048576)

-----------------------------------------------------------------------------
(* What Quorum leaves out. *)

Arrive(q) ==
    /\ q \in sent
    /\ ghosts' = {q}
    /\ UNCHANGED <<ballot, memory, hw, disk, dirId, voteResp, fetchResp, committed, budget>>

\* The late request q is taken up.
Late1(action, q) == action /\ q \in ghosts /\ ghosts' = ghosts \ {q}

\* The late request q of a candidate leaves v as it is.
SameVote(v, q) ==
    \/ q.epoch < currentEpoch[v]
    \/ /\ q.epoch = currentEpoch[v]
       /\ \/ q.pre
          \/ ~Matches(q.voter, Key(v))
          \/ role[v] \notin {"Unattached", "Prospective"}
          \/ votedKey[v] = q.candidate
          \/ IF votedKey[v] # Nil THEN ~Matches(votedKey[v], q.candidate)
             ELSE \/ leaderId[v] # Nil
                  \/ q.lastEpoch < EndEpoch(log[v])
                  \/ q.lastEpoch = EndEpoch(log[v]) /\ q.offset < Len(log[v])

\* l learns nothing of its sender from the late fetch q, and commits nothing by it.
SameFetch(l, q) ==
    \/ role[l] # "Leader"
    \/ q.epoch # currentEpoch[l]
    \/ Snapshotted(l, q)
    \/ Diverging(l, q) # Nil
    \/ ~Contains(VotersOf(log[l]), q.key)
    \/ voterFetch[l][q.from] = q.offset /\ NextHw(l, log[l], flushed[l], voterFetch[l]) = hw[l]

Ignored(v, q) ==
    /\ Up(v)
    /\ q \in sent
    /\ IF q.kind = "vote" THEN SameVote(v, q) ELSE SameFetch(v, q)
    /\ UNCHANGED vars

\* What l answers to a fetch whose sender is counted already, or is none that l counts.
Answer(l, q) ==
    LET leads    == role[l] = "Leader" /\ q.epoch = currentEpoch[l]
        snapshot == leads /\ Snapshotted(l, q)
        end      == IF leads /\ ~snapshot THEN Diverging(l, q) ELSE Nil
    IN  [kind |-> "fetch", from |-> l, ok |-> leads, epoch |-> currentEpoch[l], leader |-> leaderId[l], hw |-> hw[l],
         end |-> end, records |-> IF leads /\ ~snapshot /\ end = Nil THEN SubSeq(log[l], q.offset + 1, Len(log[l])) ELSE <<>>,
         snapshot |-> IF snapshot THEN logStart[l] ELSE Nil]

\* A broker that has not heard of its leader for long.
Asks(f, l) ==
    IF role[f] = "Follower" /\ ~IsVoter(f) /\ leaderId[f] # l /\ l # f /\ fetchResp[f] = Nil
    THEN {[kind |-> "fetch", from |-> f, to |-> l, epoch |-> currentEpoch[f], key |-> Key(f),
           offset |-> Len(log[f]), lastEpoch |-> EndEpoch(log[f]), hw |-> hw[f]]}
    ELSE {}

\* What v answers to the vote q, once the step has taken it up.
VoteAnswer(v, q) ==
    LET ok      == q.epoch >= currentEpoch'[v] /\ Matches(q.voter, Key(v))
        current == \/ q.lastEpoch > EndEpoch(log[v])
                   \/ q.lastEpoch = EndEpoch(log[v]) /\ q.offset >= Len(log[v])
        content == role'[v] = "Leader" \/ (role'[v] = "Follower" /\ fetchedFromLeader'[v])
        granted == IF q.pre THEN ~content /\ current
                   ELSE /\ role'[v] \in {"Unattached", "Prospective"}
                        /\ votedKey'[v] # Nil /\ Matches(votedKey'[v], q.candidate)
    IN  [ok |-> ok, epoch |-> currentEpoch'[v], leader |-> leaderId'[v], granted |-> ok /\ granted]

AnswerAnew(l, q, live) ==
    /\ Up(l) /\ q \in live
    /\ fetchResp' = [fetchResp EXCEPT ![q.from] = Answer(l, q)]
    /\ DurableBoth(q.from, l, Part(l))
    /\ UNCHANGED <<currentEpoch, votedKey, leaderId, memory, hw, disk, dirId, voteResp, ghosts, committed, budget>>

MetadataRead(l, q) == AnswerAnew(l, q, LiveFetches(q.from, l))
AskAnybody(l, q) == AnswerAnew(l, q, Asks(q.from, l))

PartialAnswer(f, n) ==
    /\ fetchResp[f] # Nil /\ n < Len(fetchResp[f].records)
    /\ fetchResp' = [fetchResp EXCEPT ![f].records = SubSeq(@, 1, n)]
    /\ UNCHANGED <<ballot, memory, hw, disk, dirId, voteResp, ghosts, committed, budget>>

NoNews(f, x) ==
    /\ role[f] = "Follower" /\ fetchedFromLeader[f]
    /\ x.asked = [epoch |-> currentEpoch[f], key |-> Key(f), offset |-> Len(log[f]), lastEpoch |-> EndEpoch(log[f]), hw |-> hw[f]]
    /\ x.ok /\ x.epoch = currentEpoch[f] /\ x.leader = leaderId[f] /\ x.end = Nil /\ x.epochs = <<>>
    /\ Min(x.hw, Len(log[f])) <= hw[f]
    /\ role[x.leader] = "Leader" /\ currentEpoch[x.leader] = x.epoch => x.hw <= hw[x.leader]
    /\ UNCHANGED vars

KnownNews(v, q) ==
    /\ Up(v)
    /\ q \in sent
    /\ Learn(v, Part(v), q.epoch, q.from) = Part(v)
    /\ UNCHANGED vars

Again(v) ==
    /\ role[v] = "Prospective" /\ grants[v] = {v} /\ rejects[v] = {} /\ ~Reachable(v, Part(v))
    /\ UNCHANGED vars

OwnVote(c) ==
    /\ role[c] \in {"Prospective", "Candidate"} /\ Ids(VotersOf(log[c])) = {c}
    /\ voteResp' = voteResp \union
         {[from |-> c, to |-> c, epoch |-> currentEpoch[c], leader |-> Nil, ok |-> TRUE, granted |-> TRUE]}
    /\ UNCHANGED <<ballot, memory, hw, disk, dirId, fetchResp, ghosts, committed, budget>>

\* As Crash: n records are left, and the next process knows of k that they are on disk.
Die(v, n, k) ==
    /\ Up(v)
    /\ n \in flushed[v] .. Len(log[v]) /\ k \in 0 .. n
    /\ \E b \in {durable[v], BallotOf(Part(v))} \union earlier[v] :
        LET p == Become("Down", b.epoch, b.voted, b.leader)
        IN  /\ SetPart(v, p) /\ Durable(v, p)
            /\ voteResp' = VoteAnswers(v, p, voteResp)
            /\ fetchResp' = FetchAnswers(v, p, fetchResp)
    /\ log' = [log EXCEPT ![v] = SubSeq(@, 1, n)]
    /\ flushed' = [flushed EXCEPT ![v] = k]
    /\ hw' = [hw EXCEPT ![v] = logStart[v]]
    /\ UNCHANGED <<logStart, dirId, ghosts, committed, budget>>

-----------------------------------------------------------------------------
(* Steps *)

\* What the action is told, or tells, is as the specification has it; where the step is to be shown, both are shown.
Says(name, here, there) ==
    IF here = there THEN TRUE
    ELSE /\ pos + 1 = Unseen
         /\ PrintT(ToString(<<"@expected", name, here>>)) /\ PrintT(ToString(<<"@observed", name, there>>))

\* The request is the one that its sender waits for.
Live(requests, q) == ghosts' = ghosts /\ Says("asked", requests, {q})

\* The vote is one of those; else whatever the same voter has answered.
VoteSays(votes, a) == Says("answer", IF a \in votes THEN {a} ELSE {b \in votes : b.from = a.from /\ b.to = a.to}, {a})

Answered(a, x) ==
    /\ a # Nil
    /\ Says("answer", [ok |-> a.ok, epoch |-> a.epoch, leader |-> a.leader, hw |-> IF x.ok THEN a.hw ELSE -1,
                       end |-> IF x.ok THEN a.end ELSE x.end],
                      [ok |-> x.ok, epoch |-> x.epoch, leader |-> x.leader, hw |-> x.hw, end |-> x.end])
    /\ x.ok => a.snapshot = Nil

\* How far the records go that the leader answers to q with.
UpTo(l, q, x) == Says("upTo", IF x.ok /\ x.end = Nil THEN Len(log'[l]) ELSE q.offset, x.upTo)

\* What v was seen to answer to the late request q; Nil where it was not.
AnswersSo(v, q, x) ==
    x # Nil =>
        IF q.kind = "vote"
        THEN Says("answer", VoteAnswer(v, q), [ok |-> x.ok, epoch |-> x.epoch, leader |-> x.leader, granted |-> x.granted])
        ELSE Answered([Answer(v, q) EXCEPT !.hw = hw'[v]], x) /\ UpTo(v, q, x)

\* The answer that arrives is the one that was sent.
Arrives(a, x) == Answered(a, x) /\ Says("records", [i \in DOMAIN a.records |-> a.records[i].epoch], x.epochs)

Act(s) ==
    LET v == s.at
        x == s.x
    IN CASE v \notin Node -> FALSE
         [] s.do \in {"HandleVoteRequest", "HandleMetadataFetch", "MetadataRead", "AskAnybody"} /\ x.asked.from \notin Node -> FALSE
         [] s.do = "HandleVoteResponse" /\ x.from \notin Node -> FALSE
         [] s.do = "ElectionTimeout" -> ElectionTimeout(v)
         [] s.do = "Again" -> Again(v)
         [] s.do = "FetchTimeout" -> FetchTimeout(v)
         [] s.do = "CheckQuorumTimeout" -> CheckQuorumTimeout(v)
         [] s.do = "Resign" -> Resign(v)
         [] s.do = "AppendMetadata" -> AppendMetadata(v)
         [] s.do = "PersistMetadata" -> PersistMetadata(v) /\ Says("upTo", flushed'[v], x.upTo)
         [] s.do = "Arrive" -> Arrive(x)
         [] s.do = "Ignored" -> Ignored(v, x.asked) /\ AnswersSo(v, x.asked, x.answer)
         [] s.do = "HandleVoteRequest" ->
              /\ HandleVoteRequest(v, x.asked.from) /\ Live(LiveVotes(x.asked.from, v), x.asked)
              /\ VoteSays(voteResp', x.answer)
         [] s.do = "LateVoteRequest" ->
              Late1(HandleVoteRequest(v, x.asked.from), x.asked) /\ AnswersSo(v, x.asked, x.answer)
         [] s.do = "HandleVoteResponse" -> VoteSays(voteResp, x) /\ HandleVoteResponse(v, x.from) /\ x \notin voteResp'
         [] s.do = "OwnVote" -> OwnVote(v)
         [] s.do = "HandleBeginQuorumEpoch" -> Late1(HandleBeginQuorumEpoch(v, x.from), x)
         [] s.do = "HandleEndQuorumEpoch" -> Late1(HandleEndQuorumEpoch(v, x.from), x)
         [] s.do = "KnownNews" -> KnownNews(v, x)
         [] s.do = "HandleMetadataFetch" ->
              /\ HandleMetadataFetch(v, x.asked.from) /\ Live(LiveFetches(x.asked.from, v), x.asked)
              /\ Answered(fetchResp'[x.asked.from], x.answer) /\ UpTo(v, x.asked, x.answer)
         [] s.do = "LateMetadataFetch" ->
              Late1(HandleMetadataFetch(v, x.asked.from), x.asked) /\ AnswersSo(v, x.asked, x.answer)
         [] s.do = "MetadataRead" ->
              MetadataRead(v, x.asked) /\ Answered(fetchResp'[x.asked.from], x.answer) /\ UpTo(v, x.asked, x.answer)
         [] s.do = "AskAnybody" ->
              AskAnybody(v, x.asked) /\ Answered(fetchResp'[x.asked.from], x.answer) /\ UpTo(v, x.asked, x.answer)
         [] s.do = "PartialAnswer" -> PartialAnswer(v, x.records)
         [] s.do = "HandleMetadataFetchResponse" -> Arrives(fetchResp[v], x) /\ HandleMetadataFetchResponse(v)
         [] s.do = "NoNews" -> NoNews(v, x)
         [] s.do = "Die" -> Die(v, x.end, x.flushed)
         [] s.do = "WipeDisk" -> WipeDisk(v)
         [] s.do = "RestartNode" -> RestartNode(v)
         [] OTHER -> FALSE  \* no action of the specification

-----------------------------------------------------------------------------
(* What was observed. *)

\* The records [1, kept] are as before, then those with the epochs `epochs`.
LogIs(v, kept, epochs) ==
    /\ Len(log'[v]) = kept + Len(epochs)
    /\ kept <= Len(log[v]) /\ \A i \in 1..kept : log'[v][i].epoch = log[v][i].epoch
    /\ \A i \in DOMAIN epochs : log'[v][kept + i].epoch = epochs[i]

Agrees(s) ==
    LET v == s.at
        o == s.see
    IN  IF o = Nil THEN TRUE ELSE
           /\ currentEpoch'[v] = o.currentEpoch /\ votedKey'[v] = o.votedKey /\ leaderId'[v] = o.leaderId
           /\ role'[v] = o.role /\ grants'[v] = o.grants /\ rejects'[v] = o.rejects
           /\ fetchedFromLeader'[v] = o.fetchedFromLeader /\ voterFetch'[v] = o.voterFetch
           /\ LogIs(v, o.kept, o.epochs)
           /\ logStart'[v] = o.logStart /\ flushed'[v] = o.flushed /\ hw'[v] = o.hw
           /\ dirId'[v] = o.dirId
           /\ VotersOf(log'[v]) = o.voters

-----------------------------------------------------------------------------
(* For whoever has to find out why a step is not possible. *)

Show(name, value) == PrintT(ToString(<<"@expected", name, value>>))

\* What the specification makes of the step, under the names that observations have.
ShowExpected(s) ==
    LET v == s.at
    IN  IF s.see = Nil THEN TRUE ELSE
           /\ Show("currentEpoch", currentEpoch'[v]) /\ Show("votedKey", votedKey'[v]) /\ Show("leaderId", leaderId'[v])
           /\ Show("role", role'[v]) /\ Show("grants", grants'[v]) /\ Show("rejects", rejects'[v])
           /\ Show("fetchedFromLeader", fetchedFromLeader'[v]) /\ Show("voterFetch", voterFetch'[v])
           /\ Show("epochs", [i \in 1..(Len(log'[v]) - s.see.kept) |-> log'[v][s.see.kept + i].epoch])
           /\ Show("logStart", logStart'[v]) /\ Show("flushed", flushed'[v]) /\ Show("hw", hw'[v])
           /\ Show("dirId", dirId'[v]) /\ Show("voters", VotersOf(log'[v]))

ShowEnabled(name, enabled) == IF enabled THEN PrintT(ToString(<<"@enabled", name>>)) ELSE TRUE

\* What v might have done instead.
ShowInstead(v) ==
    /\ ShowEnabled("ElectionTimeout", ENABLED ElectionTimeout(v))
    /\ ShowEnabled("FetchTimeout", ENABLED FetchTimeout(v))
    /\ ShowEnabled("CheckQuorumTimeout", ENABLED CheckQuorumTimeout(v))
    /\ ShowEnabled("Resign", ENABLED Resign(v))
    /\ ShowEnabled("AppendMetadata", ENABLED AppendMetadata(v))
    /\ ShowEnabled("PersistMetadata", ENABLED PersistMetadata(v))
    /\ ShowEnabled("HandleVoteRequest", \E w \in Node : ENABLED HandleVoteRequest(v, w))
    /\ ShowEnabled("HandleVoteResponse", \E w \in Node : ENABLED HandleVoteResponse(v, w))
    /\ ShowEnabled("HandleBeginQuorumEpoch", \E w \in Node : ENABLED HandleBeginQuorumEpoch(v, w))
    /\ ShowEnabled("HandleEndQuorumEpoch", \E w \in Node : ENABLED HandleEndQuorumEpoch(v, w))
    /\ ShowEnabled("HandleMetadataFetch", \E w \in Node : ENABLED HandleMetadataFetch(v, w))
    /\ ShowEnabled("HandleMetadataFetchResponse", ENABLED HandleMetadataFetchResponse(v))
    /\ ShowEnabled("RestartNode", ENABLED RestartNode(v))

-----------------------------------------------------------------------------
(* The end of a segment is the start of the next one: what a run does not tell of records, and of ballots that a new    *)
(* leader has not needed yet, apart.                                                                                   *)

Epochs(lg) == [i \in DOMAIN lg |-> lg[i].epoch]

EndIs(name, here, there) ==
    \/ here = there
    \/ PrintT(ToString(<<"@expected", name, here>>)) /\ PrintT(ToString(<<"@observed", name, there>>)) /\ FALSE

Ends ==
    /\ EndIs("currentEpoch", currentEpoch', EndsAs.currentEpoch) /\ EndIs("votedKey", votedKey', EndsAs.votedKey)
    /\ EndIs("leaderId", leaderId', EndsAs.leaderId) /\ EndIs("role", role', EndsAs.role)
    /\ EndIs("durable", [v \in Node |-> IF role'[v] = "Leader" THEN Nil ELSE durable'[v]],
                        [v \in Node |-> IF EndsAs.role[v] = "Leader" THEN Nil ELSE EndsAs.durable[v]])
    /\ EndIs("grants", grants', EndsAs.grants) /\ EndIs("rejects", rejects', EndsAs.rejects)
    /\ EndIs("fetchedFromLeader", fetchedFromLeader', EndsAs.fetchedFromLeader)
    /\ EndIs("voterFetch", voterFetch', EndsAs.voterFetch)
    /\ EndIs("fetchingSnapshot", fetchingSnapshot', [v \in Node |-> Nil]) /\ EndIs("hw", hw', EndsAs.hw)
    /\ EndIs("log", [v \in Node |-> Epochs(log'[v])], [v \in Node |-> Epochs(EndsAs.log[v])])
    /\ EndIs("logStart", logStart', EndsAs.logStart) /\ EndIs("flushed", flushed', EndsAs.flushed)
    /\ EndIs("dirId", dirId', EndsAs.dirId)
    /\ EndIs("voteResp", voteResp', {}) /\ EndIs("fetchResp", fetchResp', [v \in Node |-> Nil])

-----------------------------------------------------------------------------
(* Behaviours *)

Keep(s) == UNION {
    CASE k[1] = "vote" -> LiveVotes(k[2], k[3])'
      [] k[1] = "begin" -> LiveNews(k[2], k[3], "Leader", "begin")'
      [] k[1] = "end" -> LiveNews(k[2], k[3], "Resigned", "end")'
      [] k[1] = "fetch" -> LiveFetches(k[2], k[3])'
      [] k[1] = "ask" -> Asks(k[2], k[3])' : k \in s.keep.sent}

\* Who is heard of by the step, and from which ballot on.
HeardOf(s) ==
    CASE s.do \in {"HandleVoteRequest", "LateVoteRequest", "HandleMetadataFetch", "LateMetadataFetch", "MetadataRead", "AskAnybody",
                   "Ignored"} ->
           {[node |-> s.x.asked.from, epoch |-> s.x.asked.epoch]}
      [] s.do \in {"HandleBeginQuorumEpoch", "HandleEndQuorumEpoch", "KnownNews", "HandleVoteResponse"} -> {[node |-> s.x.from, epoch |-> s.x.epoch]}
      [] s.do = "HandleMetadataFetchResponse" -> {[node |-> fetchResp[s.at].from, epoch |-> fetchResp[s.at].epoch]}
      [] OTHER -> {}

\* A vote that is counted is on disk; so is whatever goes with the epoch that is told.
Earlier(s, v) ==
    LET heard == {h \in HeardOf(s) : h.node = v}
        live  == IF s.do = "HandleVoteResponse" THEN s.x.granted
                 ELSE s.do \in {"HandleVoteRequest", "HandleMetadataFetch", "MetadataRead", "AskAnybody"}
        left  == IF BallotOf(Part(v)) # BallotOf(Part(v))' /\ role'[v] # "Down" THEN {BallotOf(Part(v))} ELSE {}
        gone  == IF heard = {} THEN {}
                 ELSE IF live THEN earlier[v]
                 ELSE {b \in earlier[v] : \A h \in heard : b.epoch < h.epoch}
    IN  IF role'[v] = "Down" THEN {} ELSE (earlier[v] \ gone) \union left

Follow(j) ==
    /\ pos < StepsOf(j)
    /\ LET s == StepAt(j, pos + 1)
       IN /\ Act(s)
          /\ IF j = 0 /\ pos + 1 = Unseen THEN ShowExpected(s) ELSE Agrees(s)
          /\ sent' = sent \union Keep(s)
          /\ earlier' = [v \in Node |-> Earlier(s, v)]
    /\ trace' = j /\ pos' = pos + 1
    /\ EndsAs # Nil /\ j = 0 /\ pos + 1 = StepsOf(0) /\ Unseen = 0 => Ends
    /\ PrintT(<<"@followed", j, pos + 1>>)

TraceInit ==
    /\ currentEpoch = Start.currentEpoch /\ votedKey = Start.votedKey /\ leaderId = Start.leaderId
    /\ durable = Start.durable /\ role = Start.role /\ grants = Start.grants /\ rejects = Start.rejects
    /\ fetchedFromLeader = Start.fetchedFromLeader /\ voterFetch = Start.voterFetch
    /\ fetchingSnapshot = [v \in Node |-> Nil] /\ hw = Start.hw
    /\ log = Start.log /\ logStart = Start.logStart /\ flushed = Start.flushed /\ dirId = Start.dirId
    /\ voteResp = {} /\ fetchResp = [v \in Node |-> Nil] /\ ghosts = {}
    /\ committed = Start.committed /\ budget = Budget
    /\ trace = 0 /\ pos = 0 /\ sent = Start.sent /\ earlier = [v \in Node |-> {}]

TraceNext ==
    \/ trace = 0 /\ pos + 1 = Unseen /\ Recorded[Unseen].at \in Node /\ ShowInstead(Recorded[Unseen].at) /\ FALSE
    \/ (Unseen = 0 \/ pos < Unseen) /\ Follow(trace)
    \/ trace = 0 /\ \E j \in DOMAIN Others : Others[j].from = pos /\ Follow(j)

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, traceVars>>
=============================================================================
