package io.tidemark.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PulseTest {
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(20);

    private final Pulse pulse = new Pulse();

    private void late(long millis) {
        pulse.beat(PERIOD + TimeUnit.MILLISECONDS.toNanos(millis), 3.5);
    }

    @Test
    void aQuietMachineIsNotStarved() {
        for (int i = 0; i < 1_000; i++) {
            late(i % 2 == 0 ? 0 : 99);
        }
        assertThat(pulse.machine())
                .extracting(Machine::longestPauseMs, Machine::pausedMs)
                .containsExactly(99L, 0L);
        assertThat(pulse.machine().starved()).isFalse();
        assertThat(pulse.machine().load()).isEqualTo(3.5);
    }

    @Test
    void oneLongPauseStarves() {
        late(999);
        for (int i = 0; i < 1_000; i++) {
            late(0);
        }
        assertThat(pulse.machine().starved()).isFalse();
        late(1_000);
        assertThat(pulse.machine().starved()).isTrue();
    }

    @Test
    void manyShortOnesDoToo() {
        for (int i = 0; i < 100; i++) {
            late(100);
            late(0);
        }
        assertThat(pulse.machine().pausedMs()).isEqualTo(10_000);
        assertThat(pulse.machine().watchedMs()).isEqualTo(14_000);
        assertThat(pulse.machine().starved()).isTrue();
    }
}
