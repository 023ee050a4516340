----------------------------- MODULE EpochLog ------------------------------
(***************************************************************************)
(* A log whose records carry the leader epoch that wrote them: where an    *)
(* epoch ends, and what a fetch that does not continue the log is told     *)
(* (KIP-101, KIP-279, KIP-320, KIP-595).  Java: core.log.EpochLog,         *)
(* core.partition.Replica.misplaced.                                       *)
(*                                                                         *)
(* Offsets count from 0 as in Kafka, so offset o is log[o + 1] and the log *)
(* end offset is Len(log).  The epoch cache of the code is not kept: it    *)
(* follows from the records and, on a leader, from the epoch that it has   *)
(* begun (parameter own; -1 on others).  A log start hides the records     *)
(* below it; they stay in the sequence so that offsets remain indices.     *)
(***************************************************************************)
EXTENDS Types

Undefined == [epoch |-> -1, offset |-> -1]

\* Epoch of the record at an offset; -1 where there is none.
EpochAt(log, offset) == IF offset >= 0 /\ offset < Len(log) THEN log[offset + 1].epoch ELSE -1

\* Epochs that the log can place: of its records from its start on, or, where none is left, of the last one deleted.
EpochsOf(log, start) ==
    IF start < Len(log) THEN {log[i].epoch : i \in (start + 1)..Len(log)} ELSE {EpochAt(log, Len(log) - 1)} \ {-1}

LastEpoch(log, start, own) == MaxOf(EpochsOf(log, start) \cup {own, -1})

(* OffsetForLeaderEpoch: the greatest epoch that is at most e, and where it ends. *)
EndOffsetFor(log, start, own, e) ==
    LET last == LastEpoch(log, start, own)
        known == {k \in EpochsOf(log, start) : k <= e}
        above == {i \in (start + 1)..Len(log) : log[i].epoch > e}
    IN IF e < 0 \/ e > last THEN Undefined
       ELSE IF e = last THEN [epoch |-> e, offset |-> Len(log)]
       ELSE [epoch |-> IF known = {} THEN e ELSE MaxOf(known),
             offset |-> IF above = {} THEN Len(log) ELSE MinOf(above) - 1]

(* What a fetch from offset, after a record of epoch e (-1: of none), is told: "none" where it continues the log. *)
OutOfRange(log, start, own, offset, e) ==
    IF e >= 0
    THEN EndOffsetFor(log, start, own, e) = Undefined \/ offset < start
    ELSE offset < start \/ offset > Len(log)

Diverges(log, start, own, offset, e) ==
    /\ e >= 0
    /\ ~OutOfRange(log, start, own, offset, e)
    /\ LET end == EndOffsetFor(log, start, own, e) IN end.epoch < e \/ end.offset < offset

(* Where the log of a follower that is told "your epoch d.epoch ends at d.offset here" can first differ from the       *)
(* leader's: not past the leader's end of that epoch, nor past the own end of it (KIP-279).                           *)
TruncationPoint(log, start, d) ==
    LET own == EndOffsetFor(log, start, -1, d.epoch)
        leaders == Min(Len(log), d.offset)
    IN IF On("truncate-own-epoch") /\ own.offset >= 0 THEN Min(leaders, own.offset) ELSE leaders

Truncate(log, offset) == SubSeq(log, 1, offset)

\* Two logs that hold a record of one epoch at one offset are equal up to it.
LogsMatch(log1, log2) ==
    \A i \in 1..Min(Len(log1), Len(log2)) :
        (log1[i].epoch = log2[i].epoch /\ log1[i].epoch >= 0) =>
            \A j \in 1..i : log1[j] = log2[j] \/ log1[j].epoch < 0 \/ log2[j].epoch < 0

\* Every record, with its place.
Entries(log, n) == {[offset |-> i - 1, epoch |-> log[i].epoch, id |-> log[i].id] : i \in 1..Min(n, Len(log))}
Holds(log, entry) == entry.offset < Len(log) /\ log[entry.offset + 1] = [epoch |-> entry.epoch, id |-> entry.id]
=============================================================================
