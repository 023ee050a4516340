--------------------------- MODULE PartitionFlush ---------------------------
(* Every message is fsynced: two power losses take nothing that was        *)
(* acknowledged with acks=all, and no acknowledgement comes before its     *)
(* fsync.                                                                  *)
EXTENDS MCPartition

\* A record is acknowledged, with acks=1 too, once it is on the disk of the leader that acknowledges it.
AckedOnDisk == [][\A a \in acked' \ acked :
                    \E l \in Replicas : (Alive(l) /\ IsLeader(l))' /\ flushed'[l] > a.offset]_vars

-----------------------------------------------------------------------------
(* Mutants: put into the place of the specification's own definitions.     *)

\* For AckRule: acks=1 does not wait for the fsync.
AckBeforeFsync(a, i, st, h, durable) ==
    IF a.acks = "1" THEN "ACK"
    ELSE IF Cardinality(st.isr) < metaLog[i].minIsr THEN "REFUSE"
    ELSE IF h >= a.required /\ Cardinality(MaximalIsr(st)) >= metaLog[i].minIsr THEN "ACK" ELSE "WAIT"

\* For HwRule: the leader's own log end does not count, so not before its fsync either.
HwBeforeFsync(l, i, st, followers, end) ==
    LET waits == (MaximalIsr(st) \cup AppliedIsrs(i, st)) \ {l}
    IN IF Cardinality(st.isr) < metaLog[i].minIsr THEN hw[l]
       ELSE Max(hw[l], MinOf({followers[f].offset : f \in waits}))

\* For HandleFetch: a follower shows what is not on its disk.
FetchBeforeFsync(l, f) ==
    /\ Alive(f) /\ IsFollower(f) /\ LeaderOf(f) = l
    /\ fetchResp[f] = Nil
    /\ LET r == FetchRequest(f)
       IN /\ Accepts(l, r)
          /\ TakeFetch(l, r)
          /\ fetchResp' = [fetchResp EXCEPT ![f] = FetchAnswer(l, r)]
    /\ UNCHANGED <<metaVars, brokerVars, applied, logVars, epochStart, isrState, apResp, ghosts, exposed, budget>>
=============================================================================
