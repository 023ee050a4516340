------------------------------ MODULE MCQuorum ------------------------------
(***************************************************************************)
(* Small instances of Quorum.  The constants of each are in its cfg; here  *)
(* are the reductions, and the states that must be reachable.              *)
(***************************************************************************)
EXTENDS Quorum, TLC

Symmetry == Permutations(Controller)

\* A budget in which nothing may happen.
None == [timeout |-> 0, append |-> 0, crash |-> 0, wipe |-> 0, lose |-> 0, ghost |-> 0, resign |-> 0, snapshot |-> 0, voters |-> 0]

(* Reductions, as action constraints.  FusedRpc: the two actions of an RPC *)
(* follow one another.  FusedRestart: a node that is down comes up before  *)
(* anything else happens.  FusedPreVote: pre-votes are asked and answered  *)
(* before anything else happens.                                           *)
Answered == {n \in Node : fetchResp[n] # Nil}
FusedRpc ==
    voteResp # {} \/ Answered # {} =>
        /\ voteResp' \subseteq voteResp /\ Answered' \subseteq Answered
        /\ voteResp' # voteResp \/ Answered' # Answered
FusedRestart ==
    (\E v \in Node : role[v] = "Down") =>
        \E v \in Node : role[v] = "Down" /\ (role'[v] # "Down" \/ dirId'[v] # dirId[v])
FusedPreVote ==
    \A v \in Node : role[v] = "Prospective" /\ (\E w \in Node : LiveVotes(v, w) # {}) =>
        voteResp' # voteResp \/ role'[v] # role[v]
Fused == FusedRpc /\ FusedRestart /\ FusedPreVote
=============================================================================
