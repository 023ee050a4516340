package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private final ManualLoop loop = new ManualLoop();
    private final List<Long> triedAt = new ArrayList<>();
    private final Attempts attempts = new Attempts(loop, () -> triedAt.add(loop.nowMs()));

    @Test
    void theEarliestTimeAskedForCounts() {
        attempts.in(50);
        attempts.in(20);
        attempts.in(90);
        loop.elapse(100);
        assertThat(triedAt).containsExactly(20L);
        attempts.in(5);
        loop.elapse(10);
        assertThat(triedAt).containsExactly(20L, 105L);
    }

    @Test
    void oneAtATimeAndWhoAnswersMayAskForTheNext() {
        Consumer<String> answer = attempts.begin(text -> attempts.in(10));
        attempts.in(0);
        attempts.now();
        loop.elapse(10);
        assertThat(triedAt).isEmpty();
        answer.accept("no");
        loop.elapse(10);
        assertThat(triedAt).containsExactly(20L);
        Consumer<String> settled = attempts.begin(text -> {});
        attempts.in(30);
        settled.accept("yes");
        loop.elapse(100);
        assertThat(triedAt).hasSize(1);
    }

    @Test
    void anAttemptNowIsTheOneThatWasDue() {
        attempts.in(10);
        attempts.now();
        loop.elapse(20);
        assertThat(triedAt).containsExactly(0L);
    }
}
