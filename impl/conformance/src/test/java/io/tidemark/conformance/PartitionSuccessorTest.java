package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Walk;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        ModelConfig config = ModelConfig.read(SPEC.resolve("models/PartitionFree.cfg")).with(changes);
        return SpecModel.read(SPEC, module, config.checking(List.of(), List.of()).render());
    }

    private final Successors successors =
            new Successors(new PartitionAdapters(false, false).all());

    private void walk(int seed, boolean flushes, boolean background, String... overrides) throws IOException {
        List<String> all = new ArrayList<>(List.of(overrides));
        all.add("FlushEveryMessage=" + String.valueOf(flushes).toUpperCase(java.util.Locale.ROOT));
        all.add("BackgroundFlush=" + String.valueOf(background).toUpperCase(java.util.Locale.ROOT));
        List<Adapter> adapters =
                new PartitionAdapters(flushes, background).records(RECORDS).all();
        int steps = Integer.getInteger("tidemark.conformance.steps", 3000);
        new Walk(model(all.toArray(String[]::new)), seed)
                .run(steps, 100, DISTURBANCES, visit -> successors.visit(adapters, visit));
    }

    @Test
    void codeAndSpecificationGoToTheSameStates() throws IOException {
        walk(1, false, true, "MinIsr=2", "ElrEnabled=TRUE", "UncleanElection=FALSE");
        walk(2, false, false, "MinIsr=1", "ElrEnabled=FALSE", "UncleanElection=TRUE", "InitialIsr={b1, b2}");
        walk(3, true, true, "MinIsr=2", "ElrEnabled=TRUE", "UncleanElection=FALSE");
        // Few disturbances: replicas join and leave.
        walk(4, false, true, "MinIsr=1", "ElrEnabled=TRUE", "UncleanElection=FALSE", "InitialIsr={b1}", "Kills=0",
                "PowerLosses=0", "Fences=1", "Failovers=1", "Shutdowns=0", "Shrinks=9", "Deletes=0");
        System.out.println(successors.table());
        assertThat(successors.disagreements()).isEmpty();
    }
}
