package io.tidemark.core.quorum;

import static io.tidemark.core.quorum.QuorumFixture.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks every row of {@link QuorumRole}'s table by inputs, and shows that there is no other. */
class QuorumRoleTest {
    private static QuorumCore in(String role) {
        return switch (QuorumRole.valueOf(role)) {
            case UNATTACHED -> unattached(4, log(3));
            case PROSPECTIVE -> prospective(4, log(3));
            case CANDIDATE -> candidate(4, log(3));
            case LEADER -> leader(4, log(3));
            case FOLLOWER -> follower(4, log(3), Guards.ALL);
            case RESIGNED -> resigned(4, log(3));
        };
    }

    private static void reject(QuorumCore core) {
        core.apply(answer(core, 2, false));
        core.apply(answer(core, 3, false));
    }

    private static Consumer<QuorumCore> by(String cause) {
        return switch (cause) {
            case "higher epoch" -> core -> core.apply(request(vote(7, 2, 1, 0, 0, true)));
            case "higher leader" -> core -> core.apply(begin(7, 3));
            case "leader" -> core -> core.apply(begin(4, 3));
            case "election timeout" -> core -> core.apply(new QuorumInput.ElectionTimeout());
            case "fetch timeout" -> core -> core.apply(new QuorumInput.FetchTimeout());
            case "check quorum" -> core -> core.apply(new QuorumInput.CheckQuorumTimeout());
            case "shutdown" -> core -> core.apply(new QuorumInput.Resign());
            case "granted" -> core -> grant(core, 3);
            case "rejected" -> QuorumRoleTest::reject;
            case "back-off" ->
                core -> {
                    reject(core);
                    core.apply(new QuorumInput.ElectionTimeout());
                };
            default -> throw new IllegalArgumentException(cause);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "UNATTACHED, UNATTACHED, higher epoch, 7",
        "UNATTACHED, PROSPECTIVE, election timeout, 4",
        "UNATTACHED, FOLLOWER, leader, 4",
        "UNATTACHED, FOLLOWER, higher leader, 7",
        "PROSPECTIVE, UNATTACHED, higher epoch, 7",
        "PROSPECTIVE, UNATTACHED, rejected, 4",
        "PROSPECTIVE, PROSPECTIVE, election timeout, 4",
        "PROSPECTIVE, CANDIDATE, granted, 5",
        "PROSPECTIVE, FOLLOWER, leader, 4",
        "PROSPECTIVE, FOLLOWER, higher leader, 7",
        "CANDIDATE, UNATTACHED, higher epoch, 7",
        "CANDIDATE, PROSPECTIVE, election timeout, 4",
        "CANDIDATE, PROSPECTIVE, back-off, 4",
        "CANDIDATE, LEADER, granted, 4",
        "CANDIDATE, FOLLOWER, leader, 4",
        "CANDIDATE, FOLLOWER, higher leader, 7",
        "LEADER, UNATTACHED, higher epoch, 7",
        "LEADER, FOLLOWER, higher leader, 7",
        "LEADER, RESIGNED, shutdown, 4",
        "LEADER, RESIGNED, check quorum, 4",
        "FOLLOWER, UNATTACHED, higher epoch, 7",
        "FOLLOWER, PROSPECTIVE, fetch timeout, 4",
        "FOLLOWER, FOLLOWER, higher leader, 7",
        "RESIGNED, UNATTACHED, higher epoch, 7",
        "RESIGNED, UNATTACHED, election timeout, 5",
        "RESIGNED, FOLLOWER, higher leader, 7"
    })
    void aRowOfTheTable(String from, QuorumRole to, String cause, int epoch) {
        QuorumCore core = in(from);
        assertThat(core.view().role()).isEqualTo(QuorumRole.valueOf(from));
        by(cause).accept(core);
        assertThat(core.view().role()).isEqualTo(to);
        assertThat(core.view().currentEpoch()).isEqualTo(epoch);
        assertThat(QuorumRole.valueOf(from).mayBecome(to, epoch > 4)).isTrue();
    }

    @Test
    void noOtherTransitionIsLegal() {
        TreeSet<String> legal = new TreeSet<>();
        for (QuorumRole from : QuorumRole.values()) {
            for (QuorumRole to : QuorumRole.values()) {
                for (boolean higher : new boolean[] {false, true}) {
                    if (from.mayBecome(to, higher)) {
                        legal.add(from + " " + to + (higher ? " higher" : ""));
                    }
                }
            }
        }
        assertThat(legal)
                .containsExactly(
                        "CANDIDATE FOLLOWER",
                        "CANDIDATE FOLLOWER higher",
                        "CANDIDATE LEADER",
                        "CANDIDATE PROSPECTIVE",
                        "CANDIDATE UNATTACHED higher",
                        "FOLLOWER FOLLOWER higher",
                        "FOLLOWER PROSPECTIVE",
                        "FOLLOWER UNATTACHED higher",
                        "LEADER FOLLOWER higher",
                        "LEADER RESIGNED",
                        "LEADER UNATTACHED higher",
                        "PROSPECTIVE CANDIDATE higher",
                        "PROSPECTIVE FOLLOWER",
                        "PROSPECTIVE FOLLOWER higher",
                        "PROSPECTIVE PROSPECTIVE",
                        "PROSPECTIVE UNATTACHED",
                        "PROSPECTIVE UNATTACHED higher",
                        "RESIGNED FOLLOWER higher",
                        "RESIGNED UNATTACHED higher",
                        "UNATTACHED FOLLOWER",
                        "UNATTACHED FOLLOWER higher",
                        "UNATTACHED PROSPECTIVE",
                        "UNATTACHED UNATTACHED higher");
    }

    @Test
    void anIllegalTransitionThrows() {
        QuorumState unattached = stateOf(voters(1, 2, 3));
        for (Executable illegal : List.<Executable>of(
                unattached::candidate,
                unattached::leader,
                unattached::resigned,
                () -> unattached.unattached(0, -1),
                () -> unattached.follower(-1, 2, endpoints(2)))) {
            assertThatIllegalStateException().isThrownBy(illegal::execute);
        }
    }

    @Test
    void anObserverNeverStands() {
        QuorumState observer = stateOf(voters(2, 3));
        assertThatIllegalStateException().isThrownBy(observer::prospective);
        QuorumCore core = restored(4, voters(1, 2, 3), state(4, -1, 2), log(3), Guards.ALL);
        core.start();
        core.apply(new QuorumInput.FetchTimeout());
        core.apply(new QuorumInput.ElectionTimeout());
        core.apply(end(4, 2, 1));
        assertThat(core.view().role()).isEqualTo(QuorumRole.FOLLOWER);
    }

    private static QuorumState stateOf(VoterSet voters) {
        return new QuorumState(
                config(1, voters, Guards.ALL), QuorumStateData.INITIAL, log(), new TreeMap<>(), new QuorumOut());
    }

    @Test
    void theAnswerOfAnUnreachableLeaderIsNoTransition() {
        QuorumCore core = candidate(4, log(3));
        core.apply(new QuorumInput.HandleVoteResponse(
                2, asked(core, 2), new QuorumMessage.VoteResult(ErrorCode.NONE, 4, 9, List.of(), false, false)));
        assertThat(core.view().role()).isEqualTo(QuorumRole.CANDIDATE);
    }
}
