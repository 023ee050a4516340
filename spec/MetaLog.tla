------------------------------ MODULE MetaLog ------------------------------
(***************************************************************************)
(* The metadata log as partitions see it: one log that is appended to, of  *)
(* which a prefix is committed and stays, while the rest may be lost with  *)
(* the controller that appended it.  What an entry says is not its matter. *)
(*                                                                         *)
(* The quorum refines this module: metaLog is the log of the newest leader *)
(* that was able to append, metaHw the longest prefix that any node calls  *)
(* committed (module Quorum).  The controller and the partitions stand on  *)
(* it and on nothing else of the quorum (module Controller).               *)
(*                                                                         *)
(* Left out: epochs, voters, elections, snapshots.                         *)
(***************************************************************************)
EXTENDS Types

VARIABLES
    metaLog,  \* Seq of entries, the uncommitted ones at its end
    metaHw    \* how many of them are committed

metaVars == <<metaLog, metaHw>>

MetaInit == metaLog = <<>> /\ metaHw = 0

\* Steps by their effect, for the actions that take them.
AppendBatch(batch) == metaLog' = metaLog \o batch
CommitUpTo(n) == n \in (metaHw + 1)..Len(metaLog) /\ metaHw' = n /\ UNCHANGED metaLog
CutTo(n) == n \in metaHw..(Len(metaLog) - 1) /\ metaLog' = SubSeq(metaLog, 1, n) /\ UNCHANGED metaHw

\* The same as a relation between two states, which a refinement can be checked against: nothing is enumerated.
MetaAppend == Len(metaLog') > Len(metaLog) /\ IsPrefix(metaLog, metaLog') /\ UNCHANGED metaHw
MetaCommit == metaHw' > metaHw /\ metaHw' <= Len(metaLog) /\ UNCHANGED metaLog
MetaLose == Len(metaLog') < Len(metaLog) /\ Len(metaLog') >= metaHw /\ IsPrefix(metaLog', metaLog) /\ UNCHANGED metaHw

\* A leader that is replaced loses its tail when its successor appends; seen from outside the two are one step.
MetaReplace ==
    /\ UNCHANGED metaHw
    /\ Len(metaLog') >= metaHw
    /\ SubSeq(metaLog', 1, metaHw) = SubSeq(metaLog, 1, metaHw)

MetaNext == MetaAppend \/ MetaCommit \/ MetaLose

\* What the partitions rely on: MetaNext, where losing and appending may be one step.
MetaSpec == MetaInit /\ [][MetaNext \/ MetaReplace]_metaVars

\* The same in one sentence: what is committed stays as it is, and stays committed.
CommittedStays == [][metaHw' >= metaHw /\ SubSeq(metaLog', 1, metaHw) = SubSeq(metaLog, 1, metaHw)]_metaVars
MetaHwWithinLog == metaHw <= Len(metaLog)
=============================================================================
