package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Walk;
import io.tidemark.core.Guards;
import io.tidemark.spec.model.ConfigChange;
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

    /** What is taken less often where a leader is to lead for a while. */
    private static final Set<String> LEADING_LESS =
            Set.of("LoseMessage", "CheckQuorumTimeout", "ElectionTimeout", "FetchTimeout");

    /** Of each action at least so many states; the table that the test prints says how many there were. */
    private static final int FEW_TAKEN = 250;

    private static final int FEW_REFUSED = 250;

    private final Successors successors = new Successors(new QuorumAdapters(Guards.ALL).all());

    /** As the model of a crash, with more of everything and nothing fused. */
    private static SpecModel model(Path directory, String init, String budget) throws IOException {
        Path module = directory.resolve("Wide.tla");
        Files.writeString(module, """
                ---- MODULE Wide ----
                EXTENDS MCQuorum
                CONSTANT n1
                Disturbances == [None EXCEPT %s]
                Wide == %s /\\ [][Next]_vars
                ====
                """.formatted(budget, init));
        ModelConfig config = ModelConfig.read(SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(
                        ConfigChange.parse("SPECIFICATION=Wide"),
                        ConfigChange.parse("SYMMETRY="),
                        ConfigChange.parse("ACTION_CONSTRAINTS=")))
                .checking(List.of(), List.of());
        return SpecModel.read(SPEC, module, config.render());
    }

    @Test
    void codeAndSpecificationGoToTheSameStates(@TempDir Path directory) throws IOException {
        Walk.Visitor visitor = successors.with(new QuorumAdapters(Guards.ALL).all());
        int steps = Integer.getInteger("tidemark.conformance.steps", 5000);
        String much = "!.timeout = 9, !.append = 3, !.crash = 2, !.lose = 5, !.ghost = 3, !.resign = 2";
        new Walk(model(directory, "Init", much), 1).run(steps, 100, DISTURBANCES, visitor);
        // Short ones from a leader, who decides and resigns.
        String leading = "!.timeout = 3, !.append = 9, !.lose = 2, !.ghost = 2, !.resign = 3";
        new Walk(model(directory, "Led(n1, Controller)", leading), 2).run(steps, 40, LEADING_LESS, visitor);
        System.out.println(successors.table());
        assertThat(successors.disagreements()).isEmpty();
        successors.assertCompared(FEW_TAKEN, FEW_REFUSED, Set.of());
    }
}
