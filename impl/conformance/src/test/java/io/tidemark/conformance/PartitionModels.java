package io.tidemark.conformance;

import io.tidemark.conformance.partition.BrokerAdapters;
import io.tidemark.conformance.partition.ControllerAdapters;
import io.tidemark.conformance.partition.PartitionAdapters;
import io.tidemark.conformance.partition.Replicas;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The models of the partition whose states are put to the code: three replicas, much of everything, nothing fused. */
final class PartitionModels {
    static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");

    private static final Set<String> DISTURBANCES = Set.of(
            "KillProcess",
            "PowerLoss",
            "WipeDisk",
            "LoseMessage",
            "LoseUncommitted",
            "DeleteRecords",
            "RetentionTimeout",
            "BrokerSessionTimeout",
            "HandleElectLeaders",
            "PreferredLeaderTimeout",
            "UncleanElectionTimeout",
            "HandleAlterMinIsr",
            "ReplicaLagTimeout",
            "ConsumerRead");

    private static final int RECORDS = 4;

    private static final List<String> MUCH = List.of(
            "Records=" + RECORDS,
            "InitialRecords=0",
            "InitialLeaders={b1, b2}",
            "Acks={\"all\", \"1\", \"0\"}",
            "TrackLag=TRUE",
            "CommitAtOnce=FALSE",
            "LateAnswers=TRUE",
            "Duplicates=3",
            "Fences=3",
            "Shrinks=3",
            "Shutdowns=1",
            "Elections=2",
            "MinIsrChanges=2",
            "Failovers=2",
            "Losses=4",
            "Ghosts=4",
            "Kills=2",
            "PowerLosses=2",
            "Wipes=1",
            "Reads=20",
            "Deletes=2",
            "CONSTRAINTS=",
            "ACTION_CONSTRAINTS=");

    /** Values of UncleanElection: the last one stands for a setting that is switched on for a leaderless partition. */
    private static final String NEVER = "FALSE";

    private static final String ALWAYS = "TRUE";
    private static final String LATER = "Nil";

    /** How the disk is used. */
    private enum Flush {
        EVERY_MESSAGE,
        SOMETIMES,
        NEVER;

        List<String> constants() {
            return List.of("FlushEveryMessage=" + tla(this == EVERY_MESSAGE), "BackgroundFlush=" + tla(this != NEVER));
        }
    }

    private static String tla(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    /** A model by what it differs in. */
    record Settings(String name, int seed, Flush flush, boolean elr, String unclean, List<String> more) {
        Settings(String name, int seed, Flush flush, boolean elr, String unclean, String... more) {
            this(name, seed, flush, elr, unclean, List.of(more));
        }

        private List<Adapter> adapters(Guards guards) {
            Replicas replicas = new Replicas(
                    new Replicas.Settings(
                            flush == Flush.EVERY_MESSAGE,
                            flush != Flush.NEVER,
                            more.contains("LateReads=TRUE"),
                            RECORDS),
                    guards);
            List<Adapter> all = new ArrayList<>(PartitionAdapters.all(replicas));
            all.addAll(ControllerAdapters.all(elr, unclean.equals(ALWAYS), !unclean.equals(NEVER), guards));
            all.addAll(BrokerAdapters.all());
            return all;
        }

        Trials.Walked walked() throws IOException {
            List<ConfigChange> changes = new ArrayList<>();
            MUCH.forEach(change -> changes.add(ConfigChange.parse(change)));
            flush.constants().forEach(change -> changes.add(ConfigChange.parse(change)));
            changes.add(ConfigChange.parse("ElrEnabled=" + tla(elr)));
            changes.add(ConfigChange.parse("UncleanElection=" + unclean));
            more.forEach(change -> changes.add(ConfigChange.parse(change)));
            ModelConfig config =
                    ModelConfig.read(SPEC.resolve("models/PartitionFree.cfg")).with(changes);
            SpecModel model = SpecModel.read(
                    SPEC,
                    SPEC.resolve("models/PartitionFree.tla"),
                    config.checking(List.of(), List.of()).render());
            Set<String> disturbances = new HashSet<>(DISTURBANCES);
            if (unclean.equals(LATER)) {
                // Else whoever was fenced leads again at once.
                disturbances.add("HandleBrokerHeartbeat");
            }
            return new Trials.Walked(name, model, seed, 2 * Trials.STEPS, 60, disturbances, this::adapters);
        }
    }

    static final List<Settings> WALKS = List.of(
            new Settings("Unclean", 8, Flush.NEVER, false, ALWAYS, "MinIsr=1", "InitialIsr={b1, b2}"),
            new Settings("Elr", 1, Flush.SOMETIMES, true, NEVER, "MinIsr=2"),
            new Settings("Flush", 3, Flush.EVERY_MESSAGE, true, NEVER, "MinIsr=2"),
            // Few disturbances: replicas join and leave.
            new Settings(
                    "Join",
                    4,
                    Flush.SOMETIMES,
                    true,
                    ALWAYS,
                    "MinIsr=1",
                    "InitialIsr={b1}",
                    "Kills=0",
                    "PowerLosses=0",
                    "Fences=1",
                    "Failovers=1",
                    "Shutdowns=0",
                    "Shrinks=9",
                    "Deletes=0"),
            new Settings(
                    "Later",
                    5,
                    Flush.NEVER,
                    false,
                    LATER,
                    "MinIsr=1",
                    "InitialIsr={b1}",
                    "InitialLeaders={b1}",
                    "Fences=9"),
            new Settings("Preferred", 6, Flush.NEVER, true, NEVER, "MinIsr=2", "InitialLeaders={b2}", "Elections=9"));

    /** What a random walk hardly meets: at its end a guard is missed. */
    record Scenario(Settings settings, List<String> steps) {}

    private static final Settings ALONE =
            new Settings("Alone", 7, Flush.NEVER, false, NEVER, "MinIsr=1", "InitialIsr={b1}", "InitialLeaders={b1}");

    static final Map<Guard, Scenario> SCENARIOS = scenarios();

    private static Map<Guard, Scenario> scenarios() {
        Map<Guard, Scenario> all = new EnumMap<>(Guard.class);
        // b2 is to join with the epoch of a life that is over.
        all.put(
                Guard.AP_BROKER_EPOCHS,
                new Scenario(
                        ALONE,
                        List.of(
                                "HandleFetch b1 b2",
                                "ProposeExpandIsr b1 b2",
                                "KillProcess b2",
                                "BrokerSessionTimeout b2",
                                "CommitMetadata",
                                "RestartBroker b2",
                                "HandleBrokerRegistration b2",
                                "CommitMetadata",
                                "HandleBrokerRegistrationResponse b2",
                                "ApplyPartitionChange b2",
                                "ApplyBrokerChange b2",
                                "HandleBrokerHeartbeat b2 run")));
        // The second attempt is refused while the first is still on its way.
        all.put(
                Guard.BELIEVE_REFUSAL_ALONE,
                new Scenario(
                        ALONE,
                        List.of(
                                "HandleFetch b1 b2",
                                "ProposeExpandIsr b1 b2",
                                "LoseMessage b1 delay",
                                "BrokerSessionTimeout b2",
                                "CommitMetadata",
                                "HandleAlterPartition b1")));
        // A fetch of a life that is over arrives at last.
        all.put(
                Guard.FETCH_BROKER_EPOCH,
                new Scenario(
                        ALONE,
                        List.of(
                                "KillProcess b2 #2",
                                "BrokerSessionTimeout b2",
                                "CommitMetadata",
                                "RestartBroker b2",
                                "HandleBrokerRegistration b2",
                                "CommitMetadata",
                                "ApplyBrokerChange b1",
                                "ApplyBrokerChange b1")));
        // b2 has decided an answer to b3, then cuts its log and has a record of the next epoch there.
        all.put(
                Guard.RESP_BATCH_EPOCH,
                new Scenario(
                        new Settings(
                                "LateReads",
                                8,
                                Flush.NEVER,
                                false,
                                NEVER,
                                "MinIsr=1",
                                "InitialIsr={b1, b2}",
                                "InitialLeaders={b2}",
                                "LateReads=TRUE"),
                        List.of(
                                "HandleProduce b2 1 1",
                                "HandleFetch b2 b3",
                                "HandleElectLeaders PREFERRED",
                                "CommitMetadata",
                                "ApplyPartitionChange b1",
                                "ApplyPartitionChange b2",
                                "HandleProduce b1 1 2",
                                "HandleFetch b1 b2",
                                "HandleFetchResponse b2",
                                "HandleFetch b1 b2",
                                "HandleFetchResponse b2")));
        // b1 has a record of an epoch that b2 lacks; of the epoch before, b2 has more than b1.
        all.put(
                Guard.TRUNCATE_OWN_EPOCH,
                new Scenario(
                        new Settings(
                                "OwnEpoch",
                                9,
                                Flush.NEVER,
                                false,
                                NEVER,
                                "MinIsr=1",
                                "InitialIsr={b1, b2}",
                                "InitialLeaders={b2}"),
                        List.of(
                                "HandleProduce b2 1 1",
                                "HandleFetch b2 b1",
                                "HandleFetchResponse b1",
                                "HandleProduce b2 1 2",
                                "HandleElectLeaders PREFERRED",
                                "CommitMetadata",
                                "ApplyPartitionChange b1",
                                "HandleProduce b1 1 3",
                                "BrokerSessionTimeout b1",
                                "CommitMetadata",
                                "ApplyPartitionChange b2",
                                "ApplyPartitionChange b2",
                                "ApplyPartitionChange b1",
                                "HandleFetch b2 b1")));
        return all;
    }

    private PartitionModels() {}
}
