package io.tidemark.history.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Histories of a real (single, correct) log are valid; each way of spoiling one is found and named. */
class LogHistoryCheckPropertiesTest {
    /** A log to which clients append concurrently; some never learn how it ended. */
    private static final class Run {
        final History history = new History();
        final List<Long> log = new ArrayList<>();
        final List<Long> acked = new ArrayList<>();
        final List<Long> open = new ArrayList<>();
        long next = 1;

        Run(long seed, int steps) {
            Random random = new Random(seed);
            long readTo = 0;
            for (int i = 0; i < steps; i++) {
                int what = random.nextInt(5);
                if (what < 2) {
                    history.send(next, random.nextInt(3));
                    open.add(next++);
                } else if (what < 4 && !open.isEmpty()) {
                    complete(random);
                } else if (readTo < log.size()) {
                    long[] pairs = new long[2 * (int) (log.size() - readTo)];
                    for (int j = 0; j < pairs.length; j += 2) {
                        pairs[j] = readTo;
                        pairs[j + 1] = log.get((int) readTo++);
                    }
                    history.poll(1_000_000, pairs);
                }
            }
        }

        /** The oldest open send, so that each client keeps its order. */
        private void complete(Random random) {
            long value = open.remove(0);
            int end = random.nextInt(10);
            if (end == 0) {
                history.fail(value);
                return;
            }
            if (end > 1 || random.nextBoolean()) {
                log.add(value);
            }
            if (end > 1) {
                history.ack(value, log.size() - 1);
                acked.add(value);
            } else {
                history.info(value);
            }
        }

        LogVerdict check() {
            return history.finalRead(log.stream().mapToLong(Long::longValue).toArray())
                    .check();
        }
    }

    @Property(tries = 300)
    void aCorrectLogIsValid(@ForAll long seed, @ForAll @IntRange(min = 0, max = 300) int steps) {
        LogVerdict verdict = new Run(seed, steps).check();
        assertThat(verdict.anomalies()).isEmpty();
        assertThat(verdict.incomplete().isEmpty()).isEqualTo(verdict.outcome() == LogVerdict.Outcome.VALID);
    }

    @Property(tries = 300)
    void aCutTailIsLostAsFarAsItWasAcknowledged(
            @ForAll long seed, @ForAll @IntRange(min = 20, max = 200) int steps, @ForAll @IntRange(max = 20) int cut) {
        Run run = new Run(seed, steps);
        List<Long> gone = run.log.subList(Math.max(0, run.log.size() - cut), run.log.size());
        List<Long> lost = gone.stream().filter(run.acked::contains).toList();
        gone.clear();
        LogVerdict verdict = run.check();
        assertThat(verdict.lost()).extracting(LostRecord::value).containsExactlyElementsOf(sorted(lost));
        assertThat(verdict.count(AnomalyType.LOST)).isEqualTo(lost.size());
    }

    @Property(tries = 300)
    void anInsertedStrangerIsAPhantomAndMovesWhatFollows(
            @ForAll long seed, @ForAll @IntRange(min = 20, max = 200) int steps) {
        Run run = new Run(seed, steps);
        int at = new Random(seed).nextInt(run.log.size() + 1);
        long moved = run.log.subList(at, run.log.size()).stream()
                .filter(run.acked::contains)
                .count();
        run.log.add(at, 7_000_000L);
        LogVerdict verdict = run.check();
        assertThat(verdict.count(AnomalyType.PHANTOM)).isEqualTo(1);
        assertThat(verdict.count(AnomalyType.MISPLACED)).isEqualTo(moved);
        assertThat(verdict.count(AnomalyType.LOST)).isZero();
    }

    private static List<Object> sorted(List<Long> values) {
        return new ArrayList<>(values.stream().sorted(Comparator.naturalOrder()).toList());
    }
}
