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

\* Mutant: what waits for a commit runs inside the step that commits, not as one of its own.
PersistAndDecide(v) ==
    \E n \in flushed[v] + 1 .. Len(log[v]) :
        LET h       == IF role[v] = "Leader" THEN NextHw(v, log[v], n, voterFetch[v]) ELSE hw[v]
            decides == h > hw[v] /\ Ready(v) /\ Has("append")
        IN  /\ Up(v) /\ v \in Controller
            /\ flushed' = [flushed EXCEPT ![v] = n]
            /\ Commit(v, h)
            /\ IF decides
               THEN /\ log' = [log EXCEPT ![v] = Append(@, Record(currentEpoch[v], "data", budget["append"], Seen(v), {}))]
                    /\ Spend("append")
               ELSE UNCHANGED <<log, budget>>
            /\ UNCHANGED <<ballot, memory, logStart, dirId, network>>
=============================================================================
