------------------------------- MODULE Types -------------------------------
(***************************************************************************)
(* What every module of the specification shares: the absent value, the    *)
(* switch for guards, and a few operators on sets and sequences.           *)
(*                                                                         *)
(* A guard is a condition of the protocol that prevents a known bug.  Each *)
(* has the name that the code (io.tidemark.core.Guard), the mutants and    *)
(* the reports use; it is written On("name") where it acts, and is off in  *)
(* a mutant.                                                               *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Nil,  \* a model value: no leader, no request, no answer
    Off   \* the guards that are switched off: {} but in mutants

Guards == {
    \* Quorum
    "vote-once", "vote-durable", "vote-up-to-date", "vote-key", "pre-vote-fetched", "quorum-flush", "own-epoch-commit",
    "quorum-divergence", "activate-after-own-entry", "check-quorum", "one-voter-change",
    \* Controller
    "controller-committed-answers", "ap-leader-epoch", "ap-partition-epoch", "ap-broker-epochs", "ap-sender-epoch",
    "ap-fenced-members", "ap-recovering", "registration-incarnation", "registration-unclean", "elect-isr-only",
    "elect-elr-when-isr-empty", "elect-active",
    \* Partition
    "min-isr-append", "hw-maximal-isr", "hw-min-isr", "hw-joining", "hw-applied-isr", "ack-after-hw",
    "ack-duplicate-after-hw", "fetch-leader-epoch", "fetch-broker-epoch", "fetch-divergence-first", "resp-still-asked",
    "resp-divergence-first", "resp-batch-epoch", "truncate-by-epoch", "truncate-own-epoch", "expand-hw",
    "expand-epoch-start", "expand-broker-epoch", "pending-until-known", "believe-refusal-alone", "apply-drops-fetch", "apply-older"}

ASSUME Off \subseteq Guards

On(guard) == guard \notin Off

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

\* Of a set of numbers that is not empty.
MinOf(S) == CHOOSE x \in S : \A y \in S : x <= y
MaxOf(S) == CHOOSE x \in S : \A y \in S : x >= y

Range(s) == {s[i] : i \in DOMAIN s}

IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
=============================================================================
