package io.tidemark.core.quorum;

/**
 * Roles of a replica of the quorum, and every legal transition between them (KIP-595, 996). "Higher" is a transition to a
 * higher epoch; all others keep the epoch, but for a new candidate and a resigned leader that raise it by one.
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>from</th><th>to</th><th>when</th></tr>
 * <tr><td>UNATTACHED</td><td>UNATTACHED</td><td>higher: an epoch without a known leader</td></tr>
 * <tr><td>UNATTACHED</td><td>PROSPECTIVE</td><td>the election timer ran out</td></tr>
 * <tr><td>UNATTACHED</td><td>FOLLOWER</td><td>same or higher: a leader is known</td></tr>
 * <tr><td>PROSPECTIVE</td><td>UNATTACHED</td><td>higher: as above; same: pre-votes lost, no leader known</td></tr>
 * <tr><td>PROSPECTIVE</td><td>PROSPECTIVE</td><td>the election timer ran out, no leader known: a new round</td></tr>
 * <tr><td>PROSPECTIVE</td><td>CANDIDATE</td><td>higher by one: a majority granted its pre-vote</td></tr>
 * <tr><td>PROSPECTIVE</td><td>FOLLOWER</td><td>same or higher: a leader is known, or still known after the pre-votes were
 * lost or timed out</td></tr>
 * <tr><td>CANDIDATE</td><td>UNATTACHED</td><td>higher: as above</td></tr>
 * <tr><td>CANDIDATE</td><td>PROSPECTIVE</td><td>the election timer, or the back-off after a lost election, ran out</td></tr>
 * <tr><td>CANDIDATE</td><td>LEADER</td><td>a majority granted its vote</td></tr>
 * <tr><td>CANDIDATE</td><td>FOLLOWER</td><td>same or higher: a leader is known</td></tr>
 * <tr><td>LEADER</td><td>UNATTACHED</td><td>higher: as above</td></tr>
 * <tr><td>LEADER</td><td>FOLLOWER</td><td>higher: a leader is known</td></tr>
 * <tr><td>LEADER</td><td>RESIGNED</td><td>shutdown, or no majority fetched in time</td></tr>
 * <tr><td>FOLLOWER</td><td>UNATTACHED</td><td>higher: as above</td></tr>
 * <tr><td>FOLLOWER</td><td>PROSPECTIVE</td><td>the fetch timer ran out</td></tr>
 * <tr><td>FOLLOWER</td><td>FOLLOWER</td><td>higher: another leader is known</td></tr>
 * <tr><td>RESIGNED</td><td>UNATTACHED</td><td>higher: as above, or by one: the election timer ran out</td></tr>
 * <tr><td>RESIGNED</td><td>FOLLOWER</td><td>higher: a leader is known</td></tr>
 * </table>
 *
 * <p>A replica starts as UNATTACHED, CANDIDATE (it voted for itself), FOLLOWER or RESIGNED (it led). An observer, a node
 * outside the voter set, is only ever UNATTACHED or FOLLOWER, and RESIGNED where it led before.
 */
public enum QuorumRole {
    UNATTACHED,
    PROSPECTIVE,
    CANDIDATE,
    LEADER,
    FOLLOWER,
    RESIGNED;

    /** Whether the table has the row; {@code higher} says that the epoch rises. */
    public boolean mayBecome(QuorumRole next, boolean higher) {
        return switch (next) {
            case UNATTACHED -> higher || this == PROSPECTIVE;
            case PROSPECTIVE -> !higher && this != LEADER && this != RESIGNED;
            case CANDIDATE -> higher && this == PROSPECTIVE;
            case LEADER -> !higher && this == CANDIDATE;
            case FOLLOWER -> higher || this == UNATTACHED || this == PROSPECTIVE || this == CANDIDATE;
            case RESIGNED -> !higher && this == LEADER;
        };
    }
}
