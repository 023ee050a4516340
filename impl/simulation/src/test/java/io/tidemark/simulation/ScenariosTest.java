package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The stories of {@code scenarios/}, each run ends as its file says. {@code -Dtidemark.scenario=FILE} runs one's own. */
class ScenariosTest {
    static Stream<Arguments> runs() throws IOException {
        List<Arguments> runs = new ArrayList<>();
        String own = System.getProperty("tidemark.scenario", "");
        for (Path file : own.isEmpty() ? files() : List.of(Path.of(own))) {
            Scenario scenario = Scenario.read(file);
            scenario.runs().forEach(run -> runs.add(Arguments.of(scenario, run)));
        }
        return runs.stream();
    }

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Mutant.root().resolve("impl/simulation/src/test/resources/scenarios"))) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void endsAsItsFileSays(Scenario scenario, Scenario.Run run) {
        Guard[] off = run.off().toArray(Guard[]::new);
        Guards guards = off.length == 0 ? Guards.ALL : Guards.without(off[0], off);
        Shape shape = scenario.shape().with(run.settings()).withGuards(guards);
        if (run.ending() == Scenario.Ending.BREAKS) {
            assertThatThrownBy(() -> ScenarioRun.play(scenario, shape))
                    .isInstanceOfSatisfying(
                            Violation.class,
                            broken -> assertThat(run.invariants())
                                    .as(broken.getMessage())
                                    .contains(broken.invariant()));
            return;
        }
        int lost = ScenarioRun.play(scenario, shape);
        if (run.ending() == Scenario.Ending.LOSES) {
            assertThat(lost).as("acknowledged records lost").isPositive();
        } else {
            assertThat(lost).as("acknowledged records lost").isZero();
        }
    }
}
