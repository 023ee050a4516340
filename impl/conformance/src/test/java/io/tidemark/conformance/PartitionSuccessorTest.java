package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** States of the partition's models, built in the replica's core: where both go by the same input. */
class PartitionSuccessorTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");

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

    private static SpecModel model(String... overrides) throws IOException {
        List<ConfigChange> changes = new ArrayList<>();
        for (String bound : List.of(
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
                "ACTION_CONSTRAINTS=")) {
            changes.add(ConfigChange.parse(bound));
        }
        for (String override : overrides) {
            changes.add(ConfigChange.parse(override));
        }
        Path module = SPEC.resolve("models/PartitionFree.tla");
        ModelConfig config =
                ModelConfig.read(SPEC.resolve("models/PartitionFree.cfg")).with(changes);
        return SpecModel.read(
                SPEC, module, config.checking(List.of(), List.of()).render());
    }

    /** The settings of one walk, as the model's constants. */
    private record Walked(int seed, boolean flushes, boolean background, boolean elr, String unclean, String... more) {
        List<Adapter> adapters(Guards guards) {
            List<Adapter> all = new ArrayList<>(new PartitionAdapters(flushes, background, RECORDS, guards).all());
            all.addAll(new ControllerAdapters(elr, unclean.equals(ALWAYS), !unclean.equals(NEVER), guards).all());
            all.addAll(BrokerAdapters.all());
            return all;
        }

        SpecModel model() throws IOException {
            List<String> all = new ArrayList<>(List.of(more));
            all.add("FlushEveryMessage=" + tla(flushes));
            all.add("BackgroundFlush=" + tla(background));
            all.add("ElrEnabled=" + tla(elr));
            all.add("UncleanElection=" + unclean);
            return PartitionSuccessorTest.model(all.toArray(String[]::new));
        }

        private static String tla(boolean value) {
            return value ? "TRUE" : "FALSE";
        }
    }

    /** Values of UncleanElection: the last one stands for a setting that is switched on for a leaderless partition. */
    private static final String NEVER = "FALSE";

    private static final String ALWAYS = "TRUE";
    private static final String LATER = "Nil";

    private static final List<Walked> WALKS = List.of(
            new Walked(1, false, true, true, NEVER, "MinIsr=2"),
            new Walked(2, false, false, false, ALWAYS, "MinIsr=1", "InitialIsr={b1, b2}"),
            new Walked(3, true, true, true, NEVER, "MinIsr=2"),
            // Few disturbances: replicas join and leave.
            new Walked(
                    4,
                    false,
                    true,
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
            new Walked(
                    5,
                    false,
                    false,
                    false,
                    LATER,
                    "MinIsr=1",
                    "InitialIsr={b1}",
                    "InitialLeaders={b1}",
                    "Elections=4"));

    @Test
    void codeAndSpecificationGoToTheSameStates() throws IOException {
        Successors successors = new Successors(WALKS.get(0).adapters(Guards.ALL));
        int steps = Integer.getInteger("tidemark.conformance.steps", 4000);
        for (Walked walked : WALKS) {
            new Walk(walked.model(), walked.seed())
                    .run(steps, 100, DISTURBANCES, successors.with(walked.adapters(Guards.ALL)));
        }
        System.out.println(successors.table());
        assertThat(successors.disagreements()).isEmpty();
        successors.assertCompared(FEW_TAKEN, FEW_REFUSED, NEVER_REFUSED);
    }

    /** Of each action at least so many states; the table that the test prints says how many there were. */
    private static final int FEW_TAKEN = 250;

    private static final int FEW_REFUSED = 250;

    /** An operator's setting is always taken. */
    private static final Set<SpecAction> NEVER_REFUSED = EnumSet.of(SpecAction.HandleAlterMinIsr);

    /** Guards of the replica and of the controller that these walks show the lack of. */
    private static final Set<Guard> SEEN = EnumSet.of(
            Guard.MIN_ISR_APPEND,
            Guard.HW_MAXIMAL_ISR,
            Guard.HW_MIN_ISR,
            Guard.ACK_AFTER_HW,
            Guard.ACK_DUPLICATE_AFTER_HW,
            Guard.RESP_STILL_ASKED,
            Guard.APPLY_OLDER,
            Guard.CONTROLLER_COMMITTED_ANSWERS,
            Guard.REGISTRATION_INCARNATION,
            Guard.ELECT_ISR_ONLY,
            Guard.ELECT_ACTIVE);

    /** The comparison has teeth: a core without a guard goes elsewhere than the specification. */
    @Test
    void aGuardThatTheCodeLacksIsSeen() throws IOException {
        Map<Guard, Successors> open = new EnumMap<>(Guard.class);
        Map<Guard, List<Adapter>> adapters = new EnumMap<>(Guard.class);
        Walked walked = WALKS.get(0);
        for (Guard guard : SEEN) {
            adapters.put(guard, walked.adapters(Guards.without(guard)));
            open.put(guard, new Successors(walked.adapters(Guards.ALL)));
        }
        new Walk(walked.model(), 5).run(1500, 100, DISTURBANCES, new Walk.Visitor() {
            @Override
            public boolean visit(Walk.Visit visit) {
                open.entrySet().removeIf(entry -> {
                    entry.getValue()
                            .with(adapters.getOrDefault(entry.getKey(), List.of()))
                            .visit(visit);
                    return !entry.getValue().disagreements().isEmpty();
                });
                return !open.isEmpty();
            }

            @Override
            public boolean wants(String action) {
                return false;
            }
        });
        assertThat(open.keySet()).isEmpty();
    }
}
