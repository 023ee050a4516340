---------------------------- MODULE MCQuorumLed -----------------------------
(***************************************************************************)
(* n1 leads, and the others have its record: two decisions and a crash     *)
(* that may lose an un-fsynced suffix of the log.                          *)
(***************************************************************************)
EXTENDS MCQuorum

Disturbances == [None EXCEPT !.append = 2, !.crash = 1]

CONSTANT n1
FromLed == Led(n1, Controller) /\ [][Next]_vars

SymmetryOfOthers == Permutations(Controller \ {n1})

\* Mutant (KAFKA-10527): who led before it crashed leads again in the same epoch.
LeadsAgain(v, b) == IF b.leader = v THEN Become("Leader", b.epoch, b.voted, v) ELSE Become("Unattached", b.epoch, b.voted, Nil)

\* Mutant: the append and its fsync are one step, which then also commits.
AppendFsynced(l) ==
    LET lg == Append(log[l], Record(currentEpoch[l], "data", budget["append"], Seen(l), {}))
        h  == NextHw(l, lg, Len(lg), voterFetch[l])
    IN  /\ Ready(l)
        /\ Spend("append")
        /\ log' = [log EXCEPT ![l] = lg]
        /\ flushed' = [flushed EXCEPT ![l] = Len(lg)]
        /\ Commit(l, h)
        /\ UNCHANGED <<ballot, memory, logStart, dirId, network>>
=============================================================================
