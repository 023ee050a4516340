package io.tidemark.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerRequest.UpdateFeatures.FeatureUpdate;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataText;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.partition.AlterPartitionAsked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random schedules of everything at once, invariants after every step; a failure names its seed. */
class ControllerScheduleTest {
    private static final int BROKERS = 4;
    private static final int STEPS = 400;
    private static final int SCHEDULES = 20;
    private static final List<String> TOPICS = List.of("a", "b", "c");

    private record Entry(long offset, MetadataRecord record) {}

    private final TreeSet<String> reached = new TreeSet<>();
    private Guards guards = Guards.ALL;
    private Random random;
    private ControllerConfig config;
    private ControllerCore core;
    private ControllerInvariants invariants;
    private List<List<Entry>> batches;
    private int incarnations;
    private int tokens;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyInvariantHoldsAndTheLogRebuildsTheState(boolean elr) {
        guards = Guards.ALL;
        for (int seed = 1; seed <= SCHEDULES; seed++) {
            start(elr, seed);
            for (int step = 0; step < STEPS; step++) {
                oneStep("seed " + seed + ", step " + step);
            }
            assertThat(MetadataText.of(replayed(batches.size())))
                    .as("seed %d", seed)
                    .isEqualTo(MetadataText.of(core.view().metadata()));
        }
        assertThat(reached)
                .contains(
                        "ELR",
                        "EmptyIsr",
                        "LastKnownLeader",
                        "Recovering",
                        "Leaderless",
                        "LostUncommitted",
                        "Shutdown");
    }

    /** One schedule: the invariant that breaks first, null if none does. */
    static @Nullable String broken(Guards guards, int seed) {
        ControllerScheduleTest schedule = new ControllerScheduleTest();
        schedule.guards = guards;
        try {
            schedule.start(true, seed);
            for (int step = 0; step < STEPS; step++) {
                schedule.oneStep("seed " + seed);
            }
            return null;
        } catch (Broken e) {
            return e.invariant;
        }
    }

    private static final class Broken extends AssertionError {
        private static final long serialVersionUID = 1L;

        final String invariant;

        Broken(String broken, String where) {
            super(broken + " after " + where);
            this.invariant = broken.substring(0, broken.indexOf(':'));
        }
    }

    private void start(boolean elr, int seed) {
        random = new Random(seed);
        config = new ControllerHarness(elr, guards, Map.of("min.insync.replicas", "2")).config();
        batches = new ArrayList<>();
        incarnations = 0;
        become(new MetadataState(100, new TreeMap<>(Map.of("min.insync.replicas", "2"))), 1, 0);
    }

    private void become(MetadataState state, int epoch, long end) {
        core = new ControllerCore(config, state);
        invariants = new ControllerInvariants();
        record(core.apply(new ControllerInput.Activate(epoch, end + 1)), "activate");
    }

    private void oneStep(String where) {
        ControllerInput input = next();
        if (input instanceof ControllerInput.Deactivate) {
            // LoseUncommitted: the successor has any prefix at or above the high watermark, whole batches.
            long hw = core.view().metaHw();
            int keep = (int) batches.stream()
                    .filter(batch -> batch.get(batch.size() - 1).offset() < hw)
                    .count();
            keep += random.nextInt(batches.size() - keep + 1);
            reach("LostUncommitted", keep < batches.size());
            batches = new ArrayList<>(batches.subList(0, keep));
            long end = keep == 0
                    ? 0
                    : batches.get(keep - 1)
                                    .get(batches.get(keep - 1).size() - 1)
                                    .offset()
                            + 1;
            become(replayed(keep), core.view().epoch() + 1, end);
            return;
        }
        String before = MetadataText.of(core.view().metadata());
        Step<ControllerEffect> step = core.apply(input);
        boolean appended = record(step, where + ", " + input);
        if (!appended) {
            assertThat(step.action() == null || input instanceof ControllerInput.CommitMetadata)
                    .isTrue();
            assertThat(MetadataText.of(core.view().metadata())).isEqualTo(before);
        }
    }

    private boolean record(Step<ControllerEffect> step, String where) {
        boolean appended = false;
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                appended = true;
                List<Entry> batch = new ArrayList<>();
                for (MetadataRecord record : append.records()) {
                    note(record);
                    batch.add(new Entry(append.baseOffset() + batch.size(), record));
                }
                batches.add(batch);
            }
        }
        List<String> broken = invariants.check(core.view(), step);
        if (!broken.isEmpty()) {
            throw new Broken(broken.get(0), where);
        }
        return appended;
    }

    private void note(MetadataRecord record) {
        if (record instanceof MetadataRecord.PartitionChange change) {
            reach("ELR", change.elr() != null && !change.elr().isEmpty());
            reach("EmptyIsr", change.isr() != null && change.isr().isEmpty());
            reach(
                    "LastKnownLeader",
                    change.lastKnownElr() != null && !change.lastKnownElr().isEmpty());
            reach("Recovering", change.recovery() == LeaderRecovery.RECOVERING);
            reach("Leaderless", change.leader() != null && change.leader() == -1);
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange change) {
            reach("Shutdown", Boolean.TRUE.equals(change.inControlledShutdown()));
        }
    }

    private void reach(String what, boolean now) {
        if (now) {
            reached.add(what);
        }
    }

    private MetadataState replayed(int count) {
        MetadataState state = new MetadataState(100, new TreeMap<>(Map.of("min.insync.replicas", "2")));
        batches.subList(0, count).forEach(batch -> batch.forEach(entry -> state.apply(entry.offset(), entry.record())));
        return state;
    }

    private ControllerInput next() {
        int broker = 1 + random.nextInt(BROKERS);
        int kind = random.nextInt(100);
        if (kind < 12) {
            return input(register(broker));
        } else if (kind < 42) {
            return input(heartbeat(broker));
        } else if (kind < 52) {
            return new ControllerInput.BrokerSessionTimeout(broker);
        } else if (kind < 74) {
            return input(alterPartition());
        } else if (kind < 78) {
            return new ControllerInput.CommitMetadata(core.view().metaHw()
                    + random.nextInt(
                            (int) (core.view().metaLogEnd() - core.view().metaHw()) + 1));
        } else if (kind < 82) {
            return input(new ControllerRequest.ElectLeaders(random.nextInt(4) == 0, null));
        } else if (kind < 84) {
            return new ControllerInput.PreferredLeaderTimeout();
        } else if (kind < 86) {
            return new ControllerInput.UncleanElectionTimeout();
        } else if (kind < 90) {
            return input(createTopic());
        } else if (kind < 92) {
            return input(new ControllerRequest.DeleteTopics(
                    List.of(new ControllerRequest.DeleteTopics.TopicSelector(oneOf(TOPICS), null))));
        } else if (kind < 95) {
            return input(alterConfig());
        } else if (kind < 97) {
            boolean on = random.nextBoolean();
            return input(new ControllerRequest.UpdateFeatures(
                    List.of(new FeatureUpdate(MetadataState.ELR_FEATURE, (short) (on ? 1 : 0), !on)), false));
        }
        return new ControllerInput.Deactivate();
    }

    private ControllerInput input(ControllerRequest request) {
        return ControllerInput.of(request, new ControllerHarness.Token(++tokens));
    }

    private <T> T oneOf(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    private ControllerRequest register(int broker) {
        BrokerRegistration existing = core.view().reg().get(broker);
        boolean same = existing != null && random.nextInt(4) == 0;
        long previous = existing != null && random.nextBoolean() ? existing.epoch() : -1;
        UUID incarnation = same ? existing.incarnation() : ControllerHarness.incarnation(broker, ++incarnations);
        return ControllerHarness.registration(broker, incarnation, previous);
    }

    private ControllerRequest heartbeat(int broker) {
        BrokerRegistration existing = core.view().reg().get(broker);
        long epoch = existing == null || random.nextInt(20) == 0 ? 3 : existing.epoch();
        long offset = random.nextInt(5) == 0 ? 0 : core.view().metaLogEnd();
        return new ControllerRequest.BrokerHeartbeat(
                broker, epoch, offset, random.nextInt(12) == 0, random.nextInt(8) == 0);
    }

    private ControllerRequest alterPartition() {
        List<TopicState> topics = List.copyOf(core.view().metadata().topics().values());
        if (topics.isEmpty()) {
            return createTopic();
        }
        TopicState topic = oneOf(topics);
        int partition = oneOf(List.copyOf(topic.partitions().keySet()));
        PartitionRegistration state = core.view().part(new TopicPartition(topic.id(), partition));
        List<Integer> isr = new ArrayList<>(state.replicas());
        Collections.shuffle(isr, random);
        isr = new ArrayList<>(isr.subList(0, 1 + random.nextInt(isr.size())));
        if (state.hasLeader() && !isr.contains(state.leader())) {
            isr.add(state.leader());
        }
        List<AlterPartitionAsked.Member> members = isr.stream()
                .map(id -> new AlterPartitionAsked.Member(
                        id, core.view().reg().get(id).epoch() - (random.nextInt(20) == 0 ? 1 : 0)))
                .toList();
        boolean recovering = state.recovery() == LeaderRecovery.RECOVERING && isr.size() == 1 && random.nextBoolean();
        AlterPartitionAsked asked = new AlterPartitionAsked(
                state.leaderEpoch() - (random.nextInt(15) == 0 ? 1 : 0),
                state.partitionEpoch() - (random.nextInt(15) == 0 ? 1 : 0),
                members,
                recovering ? LeaderRecovery.RECOVERING : LeaderRecovery.RECOVERED);
        int sender = state.hasLeader() ? state.leader() : 1;
        BrokerRegistration broker = core.view().reg().get(sender);
        return new ControllerRequest.AlterPartition(
                sender,
                broker == null ? -1 : broker.epoch(),
                List.of(new ControllerRequest.AlterPartition.PartitionItem(topic.id(), partition, asked)));
    }

    private ControllerRequest createTopic() {
        TreeMap<String, String> configs = new TreeMap<>();
        if (random.nextInt(4) == 0) {
            configs.put("unclean.leader.election.enable", "true");
        }
        return new ControllerRequest.CreateTopics(
                List.of(new ControllerRequest.NewTopic(
                        oneOf(TOPICS), 1 + random.nextInt(3), (short) (1 + random.nextInt(4)), null, configs)),
                false,
                List.of(new UUID(random.nextLong(), random.nextLong())),
                random.nextInt(10));
    }

    private ControllerRequest alterConfig() {
        boolean cluster = random.nextBoolean();
        boolean delete = !cluster && random.nextInt(3) == 0;
        ConfigOp op = new ConfigOp(
                "min.insync.replicas",
                delete ? ConfigOp.Op.DELETE : ConfigOp.Op.SET,
                delete ? null : String.valueOf(1 + random.nextInt(4)));
        return new ControllerRequest.AlterConfigs(
                List.of(new ControllerRequest.ConfigChange(
                        (byte) (cluster ? 4 : 2), cluster ? "" : oneOf(TOPICS), List.of(op))),
                false);
    }
}
