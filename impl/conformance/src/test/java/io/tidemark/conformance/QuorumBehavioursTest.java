package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.quorum.QuorumSubject;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviours of small models of the quorum, taken by cores that live as long as their processes. */
class QuorumBehavioursTest {
    private static final int LEAST = 320;
    private static final int STEPS = 14;

    private static final BehaviourReplays REPLAYS = new BehaviourReplays();

    private static void take(Path directory, int count, long seed, String init) throws IOException {
        Path module = Files.writeString(directory.resolve("Small.tla"), """
                ---- MODULE Small ----
                EXTENDS MCQuorum
                CONSTANTS n1
                Disturbances == [None EXCEPT !.timeout = 4, !.append = 2, !.crash = 1, !.lose = 1, !.ghost = 1, !.resign = 2]
                FromHere == %s /\\ [][Next]_vars
                ====
                """.formatted(init));
        ModelConfig config = ModelConfig.read(MutantReplays.SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(
                        ConfigChange.parse("SPECIFICATION=FromHere"),
                        ConfigChange.parse("SYMMETRY="),
                        ConfigChange.parse("ACTION_CONSTRAINTS=")))
                .checking(List.of(), List.of());
        SpecModel model = SpecModel.read(MutantReplays.SPEC, module, config.render());
        QuorumSubject subject = new QuorumSubject(config.constants());
        Behaviours behaviours = new Behaviours(model, subject.world(Set.of()).variables(), seed);
        REPLAYS.take(behaviours.draw(count, STEPS), subject);
        System.out.println(behaviours.taken());
    }

    @BeforeAll
    static void take(@TempDir Path directory) throws IOException {
        take(directory, 180, 1, "Init");
        take(directory, 180, 2, "Led(n1, Controller)");
    }

    @Test
    void theCodeShowsTheSameStates() {
        REPLAYS.assertAllTheSame();
    }

    @Test
    void theyAreManyAndTakeEveryAction() {
        assertThat(REPLAYS.count()).isGreaterThanOrEqualTo(LEAST);
        REPLAYS.assertCovers("Quorum");
    }
}
