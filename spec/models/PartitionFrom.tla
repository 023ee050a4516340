---------------------------- MODULE PartitionFrom ---------------------------
(***************************************************************************)
(* Starts from a state that other runs have led to: l leads epoch 0, the   *)
(* replicas hold what logs says, nobody knows any of it to be committed,   *)
(* and l knows from a first fetch who is there.  It saves a directed model *)
(* those steps.                                                            *)
(***************************************************************************)
EXTENDS MCPartition, TLC

From(l, logs, fetched) ==
    /\ metaLog = <<InitialImage(l)>> /\ metaHw = 1
    /\ up = [b \in Replicas |-> "running"]
    /\ incarnation = [b \in Replicas |-> 0]
    /\ brokerEpoch = [b \in Replicas |-> 1]
    /\ applied = [b \in Replicas |-> 1]
    /\ log = logs
    /\ logStart = [b \in Replicas |-> 0]
    /\ flushed = [b \in Replicas |-> 0]
    /\ hw = [b \in Replicas |-> 0]
    /\ epochStart = [b \in Replicas |-> IF b = l THEN 0 ELSE Nil]
    /\ follower = [b \in Replicas |-> IF b = l
         THEN [f \in Replicas |-> IF f \in fetched THEN [Unknown EXCEPT !.offset = 0, !.brokerEpoch = 1] ELSE Unknown]
         ELSE Nil]
    /\ isrState = [b \in Replicas |-> IF b = l THEN CommittedIsr(InitialIsr, 0) ELSE Nil]
    /\ pendingAcks = [b \in Replicas |-> IF b = l
         THEN {[acks |-> "all", required |-> i, entry |-> [offset |-> i - 1, epoch |-> 0, id |-> i]] : i \in 1..Len(logs[l])}
         ELSE {}]
    /\ fetchResp = [b \in Replicas |-> Nil]
    /\ apResp = [b \in Replicas |-> Nil]
    /\ ghosts = {}
    /\ acked = {} /\ exposed = {} /\ committed = {}
    /\ budget = Budget

\* The first n records of epoch 0.
Wrote(n) == [i \in 1..n |-> [epoch |-> 0, id |-> i]]
=============================================================================
