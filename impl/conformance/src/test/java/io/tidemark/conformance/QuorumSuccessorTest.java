package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.Guards;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States of the quorum's models, built in the code's core: where both go by the same input. */
class QuorumSuccessorTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");

    private static final Set<String> DISTURBANCES =
            Set.of("Crash", "LoseMessage", "Resign", "CheckQuorumTimeout", "ElectionTimeout", "FetchTimeout");

    /** Of each action at least so many states. */
    private static final int FEW = 50;

    private final Successors successors = new Successors(new QuorumAdapters(Guards.ALL).all());

    /** As the model of a crash, with more of everything and nothing fused. */
    private static SpecModel model(Path directory) throws IOException {
        String name = "Wide";
        Path module = directory.resolve(name + ".tla");
        Files.writeString(module, """
                ---- MODULE Wide ----
                EXTENDS MCQuorum
                Disturbances == [None EXCEPT !.timeout = 9, !.append = 3, !.crash = 2, !.lose = 5, !.ghost = 3, !.resign = 2]
                ====
                """);
        ModelConfig config = ModelConfig.read(SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(
                        io.tidemark.spec.model.ConfigChange.parse("SYMMETRY="),
                        io.tidemark.spec.model.ConfigChange.parse("ACTION_CONSTRAINTS=")))
                .checking(List.of(), List.of());
        return SpecModel.read(SPEC, module, config.render());
    }

    @Test
    void codeAndSpecificationGoToTheSameStates(@TempDir Path directory) throws IOException {
        List<Adapter> adapters = new QuorumAdapters(Guards.ALL).all();
        int steps = Integer.getInteger("tidemark.conformance.steps", 5000);
        new Walk(model(directory), 1).run(steps, 100, DISTURBANCES, successors.with(adapters));
        System.out.println(successors.table());
        assertThat(successors.disagreements()).isEmpty();
        successors.assertCompared(FEW);
    }
}
