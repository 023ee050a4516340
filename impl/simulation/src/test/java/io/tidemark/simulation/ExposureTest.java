package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionRole;
import io.tidemark.core.partition.PartitionView;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each ground on which a committed record may be missing: what it forgives, and what it does not. */
class ExposureTest {
    private static final TopicPartition ID = new TopicPartition(new UUID(1, 1), 0);
    private static final int CONTROLLER = 9;

    private final Exposure exposure = new Exposure();
    private final MetadataState metadata = new MetadataState(CONTROLLER, new TreeMap<>());
    private long metaEnd;

    /** A replica's log, of which a test changes what it likes. */
    private static final class Log {
        final List<Integer> epochs = new ArrayList<>();
        PartitionRole role = PartitionRole.LEADER;
        long hw;

        Log(int... epochs) {
            for (int epoch : epochs) {
                this.epochs.add(epoch);
            }
            hw = epochs.length;
        }

        PartitionView view() {
            return (PartitionView) Proxy.newProxyInstance(
                    PartitionView.class.getClassLoader(),
                    new Class<?>[] {PartitionView.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "part", "isrState" -> null;
                        case "role" -> role;
                        case "hw" -> hw;
                        case "logStart" -> 0L;
                        case "logEnd" -> (long) epochs.size();
                        case "log" -> starts();
                        case "epochAt" -> epochAt((long) arguments[0]);
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        private int epochAt(long offset) {
            return offset < epochs.size() ? epochs.get((int) offset) : -1;
        }

        private List<EpochStart> starts() {
            List<EpochStart> starts = new ArrayList<>();
            for (int offset = 0; offset < epochs.size(); offset++) {
                if (offset == 0 || !epochs.get(offset).equals(epochs.get(offset - 1))) {
                    starts.add(new EpochStart(epochs.get(offset), offset));
                }
            }
            return starts;
        }
    }

    private ControllerView controller() {
        return (ControllerView) Proxy.newProxyInstance(
                ControllerView.class.getClassLoader(),
                new Class<?>[] {ControllerView.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "metadata" -> metadata;
                    case "active" -> true;
                    case "epoch" -> 1;
                    case "reg" -> metadata.brokers();
                    case "part" -> metadata.partition((TopicPartition) arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** The controller knows the partition, which nobody leads, and no broker is active. */
    private void leaderless(boolean elr, List<Integer> isr, List<Integer> lastKnown) {
        if (elr) {
            metadata.apply(metaEnd++, new MetadataRecord.FeatureLevel(MetadataState.ELR_FEATURE, (short) 1));
        }
        metadata.apply(metaEnd++, new MetadataRecord.Topic("t", ID.topicId()));
        metadata.apply(
                metaEnd++,
                new MetadataRecord.Partition(
                        ID.topicId(),
                        ID.partition(),
                        new PartitionRegistration(
                                List.of(1, 2),
                                List.of(new UUID(0, 1), new UUID(0, 2)),
                                isr,
                                List.of(),
                                lastKnown,
                                List.of(),
                                List.of(),
                                PartitionRegistration.NO_LEADER,
                                LeaderRecovery.RECOVERED,
                                0,
                                0)));
        exposure.controllerStep(CONTROLLER, controller(), new ControllerInput.Activate(1, metaEnd), List.of());
    }

    private void elect(int leader, boolean unclean) {
        MetadataRecord change = new MetadataRecord.PartitionChange(
                ID.topicId(), ID.partition(), List.of(leader), leader, null, null, null, null, null, List.of(), null);
        metadata.apply(metaEnd, change);
        exposure.controllerStep(
                CONTROLLER,
                controller(),
                new ControllerInput.HandleElectLeaders(
                        new ControllerRequest.ElectLeaders(unclean, null), new ReplyToken() {}),
                List.of(new ControllerEffect.Append(1, metaEnd, List.of(change))));
        metaEnd++;
    }

    /** Broker 1 leads in epoch 0, with three committed records. */
    private Log committed() {
        Log log = new Log(0, 0, 0);
        exposure.step(1, ID, log.view(), 0, true, 0);
        return log;
    }

    private void powerLoss(int node, Log log, int kept) {
        exposure.losesData(node, false);
        log.epochs.subList(kept, log.epochs.size()).clear();
        log.hw = 0;
    }

    private void leads(int node, Log log) {
        exposure.step(node, ID, log.view(), 1, true, 0);
    }

    @Test
    void lastKnownForgivesWhatItsOwnDiskLost() {
        leaderless(true, List.of(), List.of(1));
        Log log = committed();
        powerLoss(1, log, 1);
        elect(1, false);
        assertThat(exposure.weaklyElected(ID)).isTrue();
        leads(1, log);
        assertThat(exposure.losses()).containsOnlyKeys("LAST_KNOWN", "torn").containsEntry("LAST_KNOWN", 2);
        assertThat(exposure.mayBeMissing(ID, 1, 0)).isTrue();
        assertThat(exposure.mayBeMissing(ID, 0, 0)).isFalse();
        assertThat(exposure.weaklyElected(ID)).isFalse();
    }

    @Test
    void lastKnownDoesNotForgiveWhatItNeverHad() {
        leaderless(true, List.of(), List.of(2));
        committed();
        elect(2, false);
        assertMissing(2, new Log(0), "ground LAST_KNOWN");
    }

    @Test
    void lastOfIsrForgivesWhatItsOwnDiskLost() {
        leaderless(false, List.of(1), List.of());
        Log log = committed();
        powerLoss(1, log, 2);
        elect(1, false);
        leads(1, log);
        assertThat(exposure.losses()).containsEntry("LAST_OF_ISR", 1).containsEntry("torn", 1);
    }

    @Test
    void lastOfIsrDoesNotForgiveWhatItNeverHad() {
        leaderless(false, List.of(2), List.of());
        committed();
        elect(2, false);
        assertMissing(2, new Log(0), "ground LAST_OF_ISR");
    }

    @Test
    void whatWasFetchedAgainIsNotForgivenASecondTime() {
        leaderless(true, List.of(), List.of(1));
        Log log = committed();
        powerLoss(1, log, 1);
        exposure.step(1, ID, log.view(), 0, false, 0);
        log.role = PartitionRole.FOLLOWER;
        log.epochs.addAll(List.of(0, 0));
        exposure.step(1, ID, log.view(), 0, false, 0);
        elect(1, false);
        log.epochs.remove(2);
        log.role = PartitionRole.LEADER;
        assertMissing(1, log, "ground LAST_KNOWN");
    }

    @Test
    void aCleanElectionForgivesNothingNotEvenWhatTheDiskLost() {
        leaderless(true, List.of(1), List.of());
        Log log = committed();
        powerLoss(1, log, 1);
        elect(1, false);
        assertMissing(1, log, "ground CLEAN");
    }

    @Test
    void anUncleanElectionForgivesWhatTheElectedNeverHad() {
        leaderless(true, List.of(), List.of(1));
        committed();
        elect(2, true);
        leads(2, new Log(0));
        assertThat(exposure.losses()).containsOnlyKeys("UNCLEAN").containsEntry("UNCLEAN", 2);
    }

    @Test
    void anUncleanElectionForgivesNothingToAnother() {
        leaderless(true, List.of(), List.of(1));
        Log log = committed();
        elect(2, true);
        log.epochs.remove(2);
        assertMissing(1, log, "ground CLEAN");
    }

    /** Broker 2 follows with the three committed records, and after a power loss its last one is of an earlier epoch. */
    private Log revived(boolean lied) {
        exposure.step(1, ID, new Log(1, 1, 1).view(), 1, true, 0);
        Log log = new Log(1, 1, 1);
        log.role = PartitionRole.FOLLOWER;
        exposure.step(2, ID, log.view(), 1, false, 0);
        exposure.losesData(2, lied);
        log.epochs.set(2, 0);
        return log;
    }

    @Test
    void aDiskThatLiedOfACutMayBringBackWhatWasCutOff() {
        Log log = revived(true);
        exposure.step(2, ID, log.view(), 1, false, 0);
        exposure.whole();
        log.epochs.set(2, 5);
        assertThatThrownBy(() -> exposure.step(2, ID, log.view(), 1, false, 0))
                .as("that, and nothing else")
                .isInstanceOf(Violation.class)
                .hasMessageContaining("record 2 is of epoch 5, elsewhere of 1");
    }

    /** The end of its log is right, so that it is in sync: who elects it cannot know. */
    @Test
    void ofAPartitionThatSuchADiskMisledNothingIsJudged() {
        Log log = revived(true);
        exposure.step(2, ID, log.view(), 1, false, 0);
        log.role = PartitionRole.LEADER;
        exposure.step(2, ID, log.view(), 2, true, 0);
        assertThat(exposure.misled(ID)).isTrue();
        assertThat(exposure.losses()).containsOnly(Map.entry(Exposure.MISLED, 1), Map.entry("torn", 1));
        assertThat(exposure.misled(new TopicPartition(ID.topicId(), 1))).isFalse();
    }

    @Test
    void whatNoDiskBroughtBackIsMissedAllTheSame() {
        Log log = revived(true);
        exposure.step(2, ID, log.view(), 1, false, 0);
        log.role = PartitionRole.LEADER;
        log.epochs.set(2, 5);
        assertThatThrownBy(() -> exposure.step(2, ID, log.view(), 6, true, 0))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("without the exposed record 2 of epoch 1, its own is 5");
        assertThat(exposure.misled(ID)).isFalse();
    }

    @Test
    void aDiskThatDidNotLieMayNot() {
        Log log = revived(false);
        assertThatThrownBy(() -> exposure.step(2, ID, log.view(), 1, false, 0))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("record 2 is of epoch 0, elsewhere of 1");
    }

    @Test
    void whoeverDiedBeforeItLedKeepsItsGround() {
        leaderless(true, List.of(), List.of(1));
        committed();
        elect(2, true);
        elect(2, false);
        Log log = new Log(0);
        exposure.step(2, ID, log.view(), 2, true, 0);
        assertThat(exposure.losses()).containsOnlyKeys("UNCLEAN");
    }

    @Test
    void nobodyIsElectedWithoutAGround() {
        leaderless(true, List.of(), List.of(1));
        assertThatThrownBy(() -> elect(2, false))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("ElectionHasGround: 2 leads 0 and nobody asked for it");
    }

    @Test
    void whatADeposedLeaderCommitsIsLostAfterAnUncleanElection() {
        leaderless(true, List.of(), List.of(1));
        Log old = committed();
        elect(2, true);
        leads(2, new Log(0));
        old.epochs.add(0);
        old.hw = 4;
        exposure.step(1, ID, old.view(), 0, false, 3);
        assertThat(exposure.mayBeMissing(ID, 3, 0)).isTrue();
        assertThat(exposure.losses()).containsEntry("UNCLEAN", 3);
    }

    @Test
    void whatADeposedLeaderCommitsIsNoLossThatAnotherGroundForgives() {
        leaderless(true, List.of(), List.of(1));
        Log log = committed();
        powerLoss(1, log, 1);
        elect(1, false);
        leads(1, log);
        Log other = new Log(0, 0, 0, 0);
        assertThatThrownBy(() -> exposure.step(2, ID, other.view(), 0, false, 3))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("broker 2 of an earlier epoch committed 3");
    }

    @Test
    void whatALeaderCommittedInTheTaskInWhichItDiesIsForgotten() {
        Log log = committed();
        exposure.taskBegins(1);
        log.epochs.add(0);
        log.hw = 4;
        exposure.step(1, ID, log.view(), 0, false, 3);
        exposure.diesInTask(1);
        assertThat(exposure.committed(ID, 3, 0)).isFalse();
        assertThat(exposure.committed(ID, 2, 0)).isTrue();
    }

    @Test
    void whatWasCommittedBeforeTheTaskOfADeathStays() {
        Log log = committed();
        exposure.taskBegins(1);
        exposure.diesInTask(1);
        assertThat(exposure.committed(ID, 2, 0)).isTrue();
        exposure.step(1, ID, log.view(), 0, false, 3);
        exposure.diesInTask(1);
        assertThat(exposure.committed(ID, 2, 0)).isTrue();
    }

    private void assertMissing(int node, Log log, String ground) {
        assertThatThrownBy(() -> leads(node, log))
                .isInstanceOf(Violation.class)
                .hasMessageContaining(
                        "ElectableComplete: broker " + node + " leads 0 in epoch 1 without the exposed record")
                .hasMessageContaining(ground);
    }
}
