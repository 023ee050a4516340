package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.ModelConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All states that small models of the quorum reach: the code's graph is the specification's, and a core without a guard has
 * another.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuorumGraphTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");

    private SpecModel led;
    private SpecModel votes;

    @BeforeAll
    void read(@TempDir Path directory) throws IOException {
        led = model(directory, "Led", "Led(n1, Controller)", "!.append = 1, !.crash = 1");
        votes = model(directory, "Votes", "Init", "!.timeout = 1, !.crash = 1");
    }

    private static SpecModel model(Path directory, String name, String init, String budget) throws IOException {
        Path module = directory.resolve(name + ".tla");
        Files.writeString(module, """
                ---- MODULE %s ----
                EXTENDS MCQuorum
                CONSTANT n1
                Disturbances == [None EXCEPT %s]
                Small == %s /\\ [][Next]_vars
                ====
                """.formatted(name, budget, init));
        ModelConfig config = ModelConfig.read(SPEC.resolve("models/MCQuorumCrash.cfg"))
                .with(List.of(ConfigChange.parse("SPECIFICATION=Small"), ConfigChange.parse("SYMMETRY=")))
                .checking(List.of(), List.of());
        return SpecModel.read(SPEC, module, config.render());
    }

    private static Graphs.Result compared(SpecModel model, Guards guards) {
        QuorumWorld world = new QuorumWorld(guards, 9);
        List<Call> calls = new ArrayList<>();
        model.names().forEach(name -> calls.addAll(model.instances(name)));
        Explorer<QuorumStart.Cores> explorer = new Explorer<>(world, calls, new QuorumFusing(world));
        return new Graphs<>(model, world, explorer).compare(states -> {});
    }

    private static void assertEqual(Graphs.Result result, int least) {
        System.out.println(result.states() + " states, " + result.edges());
        assertThat(result.difference()).isNull();
        assertThat(result.states()).isGreaterThan(least);
    }

    @Test
    void aLeaderThatAppendsAndACrash() {
        assertEqual(compared(led, Guards.ALL), 400);
    }

    @Test
    void anElectionAndACrash() {
        assertEqual(compared(votes, Guards.ALL), 100);
    }

    @ParameterizedTest
    @EnumSource(names = "QUORUM_FLUSH")
    void aCoreThatLacksAGuardParts(Guard guard) {
        assertThat(compared(led, Guards.without(guard)).difference()).isNotNull();
    }
}
