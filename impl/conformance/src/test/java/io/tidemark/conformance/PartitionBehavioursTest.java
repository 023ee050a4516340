package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.partition.PartitionSubject;
import io.tidemark.conformance.partition.PartitionWorld;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Behaviours of small models of partition and controller, taken by cores that live as long as their processes. */
class PartitionBehavioursTest {
    private static final int LEAST = 700;
    private static final int STEPS = 14;

    private static final List<String> SMALL = List.of(
            "Assignment<-MCAssignment2",
            "InitialLeaders={b1}",
            "InitialIsr={b1, b2}",
            "InitialRecords=0",
            "Records=2",
            "Acks={\"all\", \"1\"}",
            "TrackLag=TRUE",
            "CommitAtOnce=FALSE",
            "LateAnswers=TRUE",
            "Duplicates=1",
            "Fences=1",
            "Shrinks=1",
            "Shutdowns=1",
            "Elections=1",
            "MinIsrChanges=1",
            "Failovers=1",
            "Losses=1",
            "Ghosts=1",
            "Kills=1",
            "PowerLosses=1",
            "Wipes=1",
            "Reads=2",
            "Deletes=0",
            "CONSTRAINTS=",
            "ACTION_CONSTRAINTS=",
            "SYMMETRY=");

    private static final BehaviourReplays REPLAYS = new BehaviourReplays();

    private static void take(int count, long seed, String... more) throws IOException {
        Path spec = MutantReplays.SPEC;
        List<ConfigChange> changes = new ArrayList<>();
        SMALL.forEach(change -> changes.add(ConfigChange.parse(change)));
        List.of(more).forEach(change -> changes.add(ConfigChange.parse(change)));
        ModelConfig config = ModelConfig.read(spec.resolve("models/PartitionFree.cfg"))
                .with(changes)
                .checking(List.of(), List.of());
        SpecModel model = SpecModel.read(spec, spec.resolve("models/PartitionFree.tla"), config.render());
        Behaviours behaviours = new Behaviours(model, PartitionWorld.VARIABLES, seed);
        REPLAYS.take(behaviours.draw(count, STEPS), new PartitionSubject(config.constants()));
        System.out.println(behaviours.taken());
    }

    @BeforeAll
    static void take() throws IOException {
        take(
                250,
                1,
                "MinIsr=2",
                "ElrEnabled=TRUE",
                "UncleanElection=FALSE",
                "FlushEveryMessage=FALSE",
                "BackgroundFlush=TRUE");
        take(
                250,
                2,
                "MinIsr=1",
                "ElrEnabled=FALSE",
                "UncleanElection=TRUE",
                "FlushEveryMessage=TRUE",
                "BackgroundFlush=FALSE");
        // Unclean elections are switched on for a partition that has no leader.
        take(
                250,
                3,
                "MinIsr=1",
                "ElrEnabled=FALSE",
                "UncleanElection=Nil",
                "FlushEveryMessage=FALSE",
                "BackgroundFlush=FALSE",
                "InitialIsr={b1}",
                "Fences=4",
                "Kills=2");
        // Little is disturbed: leadership goes back and forth, replicas join and leave.
        take(
                190,
                4,
                "MinIsr=1",
                "ElrEnabled=TRUE",
                "UncleanElection=FALSE",
                "FlushEveryMessage=FALSE",
                "BackgroundFlush=FALSE",
                "InitialLeaders={b2}",
                "Elections=3",
                "Fences=0",
                "Kills=0",
                "PowerLosses=0",
                "Failovers=0",
                "MinIsrChanges=0");
    }

    @Test
    void theCodeShowsTheSameStates() {
        REPLAYS.assertAllTheSame();
    }

    @Test
    void theyAreManyAndTakeEveryAction() {
        assertThat(REPLAYS.count()).isGreaterThanOrEqualTo(LEAST);
        REPLAYS.assertCovers("Controller", "Partition");
    }
}
