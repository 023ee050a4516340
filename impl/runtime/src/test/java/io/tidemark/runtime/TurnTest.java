package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final Turn turn = new Turn();
    private final List<String> ran = new ArrayList<>();

    @Test
    void whatAStepSubmitsWaitsUntilTheStepIsDoneFirstInFirstOut() {
        turn.submit(() -> {
            turn.submit(() -> {
                ran.add("b");
                turn.submit(() -> ran.add("d"));
            });
            turn.submit(() -> ran.add("c"));
            ran.add("a");
        });
        assertThat(ran).containsExactly("a", "b", "c", "d");
    }

    @Test
    void anErrorLeavesTheTurn() {
        assertThatThrownBy(() -> turn.submit(() -> {
                    throw new IllegalStateException("disk");
                }))
                .hasMessage("disk");
    }
}
