package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepQueueTest {
    private final StepQueue steps = new StepQueue();
    private final List<String> ran = new ArrayList<>();

    @Test
    void whatAStepSubmitsWaitsUntilTheStepIsDoneFirstInFirstOut() {
        steps.submit(() -> {
            steps.submit(() -> {
                ran.add("b");
                steps.submit(() -> ran.add("d"));
            });
            steps.submit(() -> ran.add("c"));
            ran.add("a");
        });
        assertThat(ran).containsExactly("a", "b", "c", "d");
    }

    @Test
    void anErrorLeavesTheTurn() {
        assertThatThrownBy(() -> steps.submit(() -> {
                    throw new IllegalStateException("disk");
                }))
                .hasMessage("disk");
    }
}
