package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a scenario is read, and what is said of one that cannot be. */
class ScenarioTest {
    private static final String WHOLE = """
            scenario: A story   # with a comment
            settings: min-isr=1, elr=off
            run: holds
            run without expand-hw: breaks A or B

            await 3 acknowledged
            """;

    @Test
    void isRead() {
        Scenario scenario = Scenario.parse("a.txt", WHOLE);
        assertThat(scenario.title()).isEqualTo("A story");
        assertThat(scenario.shape().minIsr).isEqualTo(1);
        assertThat(scenario.shape().elr).isFalse();
        assertThat(scenario.runs()).extracting(Scenario.Run::label).containsExactly("as it is", "without expand-hw");
        assertThat(scenario.runs().get(1).invariants()).isEqualTo(List.of("A", "B"));
        assertThat(scenario.steps().get(0).line()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "min-isr=1 | min-isr=0 | a.txt:2: no setting: 'min-isr=0'; partitions=N, ",
                "elr=off | ellr=off | a.txt:2: no setting: 'ellr=off'; partitions=N, ",
                "expand-hw | expand | a.txt:4: no guard 'expand'; one of vote-once, ",
                "holds | hold | a.txt:3: no ending: 'hold'; holds, loses, or breaks INVARIANT or INVARIANT",
                "run without | run after | a.txt:4: not understood: 'run after expand-hw'; run:, run without GUARD:, or",
                "scenario: A story | titel: x | a.txt:1: no such line: 'titel:'; scenario:, source:, ",
                "scenario: A story | # | a.txt:6: it ends without scenario:; a title, at least one run and one step",
                "await 3 acknowledged | waits | a.txt:6: not understood: 'waits'; a step: kill, start, ",
                "await 3 acknowledged | kill him | a.txt:6: not understood: 'kill him'; kill one of leader, controller, other",
                "await 3 acknowledged | await luck | a.txt:6: not understood: 'await luck'; await isr WHO.., ",
                "await 3 acknowledged | lose post | a.txt:6: not understood: 'lose post'; lose one of fetch|",
            })
    void saysWhereWhatAndWhatWouldBeRight(String right, String wrong, String said) {
        assertThatThrownBy(() -> Scenario.parse("a.txt", WHOLE.replace(right, wrong)))
                .isInstanceOf(Scenario.Malformed.class)
                .hasMessageStartingWith(said);
    }

    /** What a step demands and what does not come is no violation: the run fails, and says at which line. */
    @Test
    void aStepThatDoesNotComeFailsAtItsLine() {
        Scenario scenario = Scenario.parse("a.txt", WHOLE.replace("await 3 acknowledged", "expect no leader"));
        assertThatThrownBy(() -> ScenarioRun.play(scenario, scenario.shape()))
                .isInstanceOf(AssertionError.class)
                .isNotInstanceOf(Violation.class)
                .hasMessageStartingWith("a.txt:6: 'expect no leader': it does not hold; leader is ");
    }
}
