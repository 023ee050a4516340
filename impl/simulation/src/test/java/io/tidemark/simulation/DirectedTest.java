package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.quorum.QuorumMessage;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Races that random faults hardly ever hit, played by hand on a whole cluster. */
class DirectedTest {
    /** Who has left the ISR holds the high watermark until it lags. */
    private static final long UNTIL_NOBODY_IS_WAITED_FOR_MS = 3_000;

    /**
     * The first attempt to take a replica into the ISR lies in a buffer; the second is refused because the replica is
     * fenced; the replica is unfenced, and now the first arrives and is granted. Meanwhile the leader must count on it.
     */
    private static Stage aRefusalIsOvertaken(Guards guards) {
        Stage stage = new Stage(Shape.three().withGuards(guards));
        stage.hand((from, to, request, arrival) -> from == stage.other && Stage.isFetch(request));
        stage.until("it leaves the ISR", () -> !stage.isr().contains(stage.other));

        stage.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 3)) {
                stage.held.add(arrival);
                return true;
            }
            return from == stage.other && request instanceof ControllerRequest.BrokerHeartbeat;
        });
        stage.until("it is to join", () -> !stage.held.isEmpty());
        stage.until("it is fenced", () -> !stage.active(stage.other));

        boolean[] retried = new boolean[1];
        stage.hand((from, to, request, arrival) -> {
            boolean again = stage.isAttempt(from, request, 3) && retried[0];
            retried[0] |= stage.isAttempt(from, request, 3);
            return again
                    || (from == stage.other
                            && (Stage.isFetch(request) || request instanceof ControllerRequest.BrokerHeartbeat));
        });
        if (guards.on(Guard.PENDING_UNTIL_KNOWN)) {
            stage.until("the next attempt is sent", () -> retried[0]);
            stage.run(40);
        }
        assertThat(stage.isr()).as("refused").doesNotContain(stage.other);

        stage.hand((from, to, request, arrival) -> stage.isAttempt(from, request, 3)
                || stage.leaderLearns(from, request)
                || (from == stage.other && Stage.isFetch(request)));
        stage.until("it is unfenced", () -> stage.active(stage.other));
        stage.held.get(0).run();
        stage.run(20);
        assertThat(stage.isr()).as("the stray attempt is granted").contains(stage.other);

        stage.before = stage.acknowledged();
        stage.run(800);
        return stage;
    }

    private static void onlyTheOtherIsLeft(Stage stage) {
        stage.simulation.node(stage.leader).kill();
        stage.simulation.node(stage.controller).kill();
        stage.asked = stage.other;
        stage.handsOff();
        stage.simulation.node(stage.controller).start();
        stage.until("it leads", () -> stage.registration(stage.partition).leader() == stage.other);
        stage.run(500);
        stage.simulation.finish();
    }

    @Test
    void aRefusalIsNotBelievedWhileAnEarlierAttemptMayArrive() {
        Stage stage = aRefusalIsOvertaken(Guards.ALL);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        onlyTheOtherIsLeft(stage);
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING_UNTIL_KNOWN", "BELIEVE_REFUSAL_ALONE", "HW_MAXIMAL_ISR"})
    void believedItLosesARecord(Guard off) {
        breaks(
                () -> onlyTheOtherIsLeft(aRefusalIsOvertaken(Guards.without(off))),
                "ElectableComplete",
                "IsrSuperset",
                "PendingUntilKnown");
    }

    /**
     * The controller freezes with the first attempt in its socket and stays the active one, for the two others cannot elect.
     * The second attempt lies there from the first one's time-out on; when the controller continues, it reads the second
     * first, and refuses it because its broker, not heard of, is fenced. Then the broker is unfenced, and the first is read.
     * With check-quorum a controller that was frozen for so long resigns as it continues; safety must not rest on that.
     */
    @Test
    void aRefusalByAControllerThatWasFrozenIsNotBelieved() {
        Stage stage = new Stage(Shape.three()
                .with(shape -> {
                    shape.minIsr = 1;
                    shape.requestTimeoutMs = 30_000;
                    shape.unheld = "LeavesWithoutMajority";
                })
                .withGuards(Guards.without(Guard.CHECK_QUORUM)));
        stage.hand((from, to, request, arrival) -> to == stage.leader && Stage.isFetch(request));
        stage.until("the leader is alone", () -> stage.isr().equals(List.of(stage.leader)));

        stage.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 2)) {
                stage.held.add(arrival);
                return true;
            }
            return Stage.isVote(request) || (from == stage.controller && to == stage.leader && Stage.isFetch(request));
        });
        stage.until("the first attempt", () -> !stage.held.isEmpty());
        stage.simulation.node(stage.controller).freeze();
        int[] later = new int[1];
        stage.hand((from, to, request, arrival) -> {
            later[0] += stage.isAttempt(from, request, 2) ? 1 : 0;
            return Stage.isVote(request)
                    || (from == stage.controller && to == stage.leader && Stage.isFetch(request))
                    || (from == stage.other
                            && (Stage.isFetch(request) || request instanceof ControllerRequest.BrokerHeartbeat));
        });
        stage.run(43_000);
        assertThat(later[0]).as("the second attempt").isEqualTo(1);
        stage.simulation.node(stage.controller).thaw();
        stage.run(400);
        assertThat(stage.simulation.node(stage.controller).quorumLeader()).isEqualTo(stage.controller);
        assertThat(stage.isr()).as("refused").containsExactly(stage.leader);
        // Nobody has fetched the record of it yet: until then the metadata that is asked for has the broker as active.
        stage.until("its fence is committed", () -> !stage.active(stage.other));

        stage.hand((from, to, request, arrival) -> stage.isAttempt(from, request, 2)
                || stage.leaderLearns(from, request)
                || (to == stage.leader && Stage.isFetch(request)));
        stage.until("it is unfenced", () -> stage.active(stage.other));
        stage.held.get(0).run();
        stage.run(30);
        assertThat(stage.isr()).as("the first attempt is granted").contains(stage.other);

        stage.before = stage.acknowledged();
        stage.run(800);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        onlyTheOtherIsLeft(stage);
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    /**
     * A leader that may acknowledge alone shrinks its ISR to itself; while that is under way, min.insync.replicas is raised.
     * The controller decides by the new value: who left is eligible. The leader has not heard of it.
     */
    private static Stage theShrinkMeetsAHigherMinIsr(Guards guards) {
        Stage stage = new Stage(Shape.three().with(shape -> shape.minIsr = 1).withGuards(guards));
        stage.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 1)) {
                stage.held.add(arrival);
                return true;
            }
            return to == stage.leader && Stage.isFetch(request);
        });
        stage.until("the leader is to be alone", () -> !stage.held.isEmpty());
        stage.hand((from, to, request, arrival) -> stage.isAttempt(from, request, 1)
                || stage.leaderLearns(from, request)
                || (to == stage.leader && Stage.isFetch(request)));
        stage.simulation
                .clients()
                .administer(
                        new ControllerRequest.AlterConfigs(
                                List.of(new ControllerRequest.ConfigChange(
                                        MetadataRecord.Config.TOPIC,
                                        SimClients.TOPIC,
                                        List.of(new ControllerRequest.ConfigOp(
                                                TopicConfigs.MIN_INSYNC_REPLICAS,
                                                ControllerRequest.ConfigOp.Op.SET,
                                                "2")))),
                                false),
                        answer -> {});
        stage.until("it is raised", () -> stage.ask(view -> view.effectiveMinIsr(SimClients.TOPIC) == 2));
        stage.held.get(0).run();
        stage.run(30);
        assertThat(stage.isr()).containsExactly(stage.leader);
        assertThat(stage.registration(stage.partition).elr()).hasSize(2);
        stage.before = stage.acknowledged();
        stage.run(3_000);
        return stage;
    }

    private static void theLeaderDies(Stage stage) {
        stage.simulation.node(stage.leader).kill();
        stage.handsOff();
        stage.until(
                "another leads",
                () -> stage.registration(stage.partition).hasLeader()
                        && stage.registration(stage.partition).leader() != stage.leader);
        stage.run(500);
        stage.simulation.finish();
    }

    @Test
    void whoLeftTheIsrByAHigherMinIsrStillCounts() {
        Stage stage = theShrinkMeetsAHigherMinIsr(Guards.ALL);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        theLeaderDies(stage);
        assertThat(stage.acknowledged()).isGreaterThan(stage.before);
    }

    @Test
    void notCountedItLosesARecord() {
        breaks(
                () -> theLeaderDies(theShrinkMeetsAHigherMinIsr(Guards.without(Guard.HW_APPLIED_ISR))),
                "ElectableComplete",
                "HwWaitsForDeparted");
    }

    /** A follower is outside of the ISR and behind when one fetch of it arrives; it hears no answer. */
    private static Stage aLaggardAsks(Guards guards) {
        Stage stage = new Stage(Shape.three().withGuards(guards));
        stage.hand((from, to, request, arrival) -> from == stage.other && Stage.isFetch(request));
        stage.until("it leaves the ISR", () -> !stage.isr().contains(stage.other));
        stage.run(UNTIL_NOBODY_IS_WAITED_FOR_MS);
        stage.simulation.network().cut(stage.leader, stage.other);
        stage.handsOff();
        return stage;
    }

    @Test
    void whoIsBehindDoesNotJoin() {
        Stage stage = aLaggardAsks(Guards.ALL);
        stage.run(6_000);
        assertThat(stage.isr()).doesNotContain(stage.other);
        stage.simulation.finish();
    }

    @Test
    void joiningBehindItLosesRecords() {
        Stage stage = aLaggardAsks(Guards.without(Guard.EXPAND_HW));
        breaks(
                () -> {
                    stage.until("it joins", () -> stage.isr().contains(stage.other));
                    onlyTheOtherIsLeft(stage);
                },
                "ElectableComplete");
    }

    /** The leader of an ISR that is below minIsr appends with acks=1; who left may be elected. */
    private static Stage theLeaderIsAlone(Guards guards) {
        Stage stage = new Stage(Shape.three().with(shape -> shape.acks = 1).withGuards(guards));
        stage.hand((from, to, request, arrival) -> to == stage.leader && Stage.isFetch(request));
        stage.until("the leader is alone", () -> stage.isr().equals(List.of(stage.leader)));
        stage.run(UNTIL_NOBODY_IS_WAITED_FOR_MS);
        return stage;
    }

    @Test
    void aloneItCommitsNothing() {
        theLeaderDies(theLeaderIsAlone(Guards.ALL));
    }

    @Test
    void committedAloneItIsLost() {
        breaks(() -> theLeaderDies(theLeaderIsAlone(Guards.without(Guard.HW_MIN_ISR))), "ElectableComplete");
    }

    /**
     * The leader is alone; the controller takes its own broker into the ISR again, and dies before that is committed. Its
     * broker comes back and is trusted no longer, the third has been eligible all the time.
     */
    private static Stage theControllerDiesWithItsDecision(Guards guards) {
        Stage stage = new Stage(Shape.three().withGuards(guards));
        stage.hand((from, to, request, arrival) -> from == stage.controller && Stage.isFetch(request));
        stage.until("the controller's broker leaves", () -> !stage.isr().contains(stage.controller));
        stage.hand((from, to, request, arrival) -> to == stage.leader && Stage.isFetch(request));
        stage.until("the leader is alone", () -> stage.isr().equals(List.of(stage.leader)));
        assertThat(stage.registration(stage.partition).elr()).containsExactly(stage.other);
        stage.hand((from, to, request, arrival) -> {
            if (stage.isAttempt(from, request, 2)) {
                stage.held.add(arrival);
                return true;
            }
            return from == stage.other && Stage.isFetch(request);
        });
        stage.until("the controller's broker is to join", () -> !stage.held.isEmpty());
        stage.hand((from, to, request, arrival) ->
                (to == stage.controller && request instanceof QuorumMessage.MetadataFetch)
                        || (from == stage.other && Stage.isFetch(request)));
        stage.run(600);
        stage.before = stage.acknowledged();
        stage.held.get(0).run();
        stage.run(800);
        return stage;
    }

    private static void anotherControls(Stage stage) {
        stage.asked = stage.other;
        long epoch = stage.brokerEpoch(stage.controller);
        stage.simulation.node(stage.controller).kill();
        stage.hand((from, to, request, arrival) -> (to == stage.leader && Stage.isFetch(request))
                || (from != stage.other && Stage.isVote(request))
                || stage.leaderLearns(from, request)
                || stage.isAttempt(from, request, 2));
        stage.simulation.node(stage.controller).start();
        stage.until(
                "its broker is back",
                () -> stage.brokerEpoch(stage.controller) > epoch && stage.active(stage.controller));
        assertThat(stage.isr()).containsExactly(stage.leader);
        theLeaderDies(stage);
    }

    @Test
    void anAnswerWaitsUntilTheDecisionIsCommitted() {
        Stage stage = theControllerDiesWithItsDecision(Guards.ALL);
        assertThat(stage.acknowledged()).isEqualTo(stage.before);
        anotherControls(stage);
    }

    @Test
    void answeredBeforeItIsSeen() {
        breaks(
                () -> anotherControls(
                        theControllerDiesWithItsDecision(Guards.without(Guard.CONTROLLER_COMMITTED_ANSWERS))),
                "AnswersCommitted");
    }

    /** An answered request to take a replica into the ISR arrives once more after that replica has left again. */
    private static Stage anAnsweredChangeArrivesTwice(Guards guards) {
        Stage stage = new Stage(Shape.three().withGuards(guards));
        stage.hand((from, to, request, arrival) -> from == stage.other && Stage.isFetch(request));
        stage.until("it leaves the ISR", () -> !stage.isr().contains(stage.other));
        stage.hand((from, to, request, arrival) -> {
            boolean joins = stage.isAttempt(from, request, 3);
            if (joins) {
                stage.held.add(arrival);
                arrival.run();
            }
            return joins;
        });
        stage.until("it joins", () -> stage.isr().contains(stage.other));
        stage.hand((from, to, request, arrival) -> from == stage.other && Stage.isFetch(request));
        stage.until("it leaves again", () -> !stage.isr().contains(stage.other));
        stage.run(800);
        stage.hand((from, to, request, arrival) ->
                stage.leaderLearns(from, request) || (from == stage.other && Stage.isFetch(request)));
        stage.held.get(0).run();
        stage.run(800);
        return stage;
    }

    @Test
    void anAnsweredChangeThatArrivesAgainIsRefused() {
        Stage stage = anAnsweredChangeArrivesTwice(Guards.ALL);
        assertThat(stage.isr()).doesNotContain(stage.other);
        stage.simulation.finish();
    }

    @Test
    void grantedTwiceItLosesARecord() {
        breaks(
                () -> onlyTheOtherIsLeft(anAnsweredChangeArrivesTwice(Guards.without(Guard.AP_PARTITION_EPOCH))),
                "ElectableComplete",
                "IsrOnThePresent");
    }

    /** The invariant is broken on the way, or once somebody who lacks a record is left. */
    private static void breaks(ThrowingCallable story, String... invariants) {
        assertThatThrownBy(story)
                .isInstanceOfSatisfying(
                        Violation.class,
                        broken -> assertThat(broken.invariant()).isIn((Object[]) invariants));
    }
}
