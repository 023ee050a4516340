package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EpochLogTest {
    /** The log as one epoch an offset, plus the epoch that a leader began (or retention left) at the end. */
    private static final class Oracle {
        final TreeMap<Long, Integer> epochOf = new TreeMap<>();
        long start;
        long end;
        int atEnd = -1;

        int last() {
            return Math.max(atEnd, epochOf.isEmpty() ? -1 : epochOf.lastEntry().getValue());
        }

        List<EpochStart> starts() {
            List<EpochStart> all = new ArrayList<>();
            int previous = -1;
            TreeMap<Long, Integer> withEnd = new TreeMap<>(epochOf);
            if (atEnd >= 0) {
                withEnd.put(end, atEnd);
            }
            for (Map.Entry<Long, Integer> entry : withEnd.entrySet()) {
                if (entry.getValue() > previous) {
                    all.add(new EpochStart(entry.getValue(), entry.getKey()));
                }
                previous = entry.getValue();
            }
            return all;
        }

        /** The sentence of KIP-101, by scanning. */
        OffsetAndEpoch endOffsetFor(int epoch) {
            if (epoch < 0 || epoch > last()) {
                return new OffsetAndEpoch(-1, -1);
            }
            if (epoch == last()) {
                return new OffsetAndEpoch(end, epoch);
            }
            int floor = epoch;
            for (EpochStart start : starts()) {
                if (start.epoch() > epoch) {
                    return new OffsetAndEpoch(start.startOffset(), floor);
                }
                floor = start.epoch();
            }
            throw new AssertionError("an epoch below the last has a next one");
        }

        void append(int epoch, long gap, long count) {
            int filler = last();
            for (long offset = end; offset < end + gap; offset++) {
                epochOf.put(offset, filler);
            }
            for (long offset = end + gap; offset < end + gap + count; offset++) {
                epochOf.put(offset, epoch);
            }
            end += gap + count;
            atEnd = -1;
        }

        void beginEpoch(int epoch) {
            atEnd = epoch == last() ? atEnd : epoch;
        }

        void truncateTo(long offset) {
            if (offset < end) {
                epochOf.tailMap(offset, true).clear();
                atEnd = -1;
                end = offset;
                start = Math.min(start, offset);
            }
        }

        void truncateFullyAt(long offset) {
            epochOf.clear();
            atEnd = -1;
            start = offset;
            end = offset;
        }

        void advanceLogStart(long offset) {
            if (offset > start) {
                int last = last();
                epochOf.headMap(offset, false).clear();
                if (offset == end && atEnd < 0) {
                    atEnd = last;
                }
                start = offset;
            }
        }
    }

    /** kind: 0-3 append, 4 begin an epoch, 5 truncate, 6 truncate fully, 7 advance the start. */
    private record Op(int kind, int x, int y) {}

    @Provide
    Arbitrary<List<Op>> ops() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.integers().between(0, 3))
                .as(Op::new)
                .list()
                .ofMaxSize(25);
    }

    @Property
    void behavesAsALogWithOneEpochAnOffset(@ForAll("ops") List<Op> ops) {
        EpochLog log = new EpochLog();
        Oracle oracle = new Oracle();
        for (Op op : ops) {
            long offset = Math.max(0, oracle.end - op.x());
            int epoch = Math.max(0, oracle.last()) + op.y();
            if (op.kind() < 4) {
                // A gap only once an epoch is known: what it belongs to is otherwise nobody's question.
                long gap = op.kind() == 3 && oracle.last() >= 0 && oracle.atEnd < 0 ? op.x() : 0;
                log.append(epoch, log.endOffset() + gap, log.endOffset() + gap + 1 + op.x());
                oracle.append(epoch, gap, 1 + op.x());
            } else if (op.kind() == 4) {
                log.beginEpoch(epoch);
                oracle.beginEpoch(epoch);
            } else if (op.kind() == 5) {
                log.truncateTo(offset);
                oracle.truncateTo(offset);
            } else if (op.kind() == 6) {
                log.truncateFullyAt(oracle.end + op.x());
                oracle.truncateFullyAt(oracle.end + op.x());
            } else {
                log.advanceLogStart(offset);
                oracle.advanceLogStart(offset);
            }
            assertSame(log, oracle);
        }
        assertSame(new EpochLog(log.logStart(), log.endOffset(), log.starts()), oracle);
    }

    private static void assertSame(EpochLog log, Oracle oracle) {
        assertThat(log.logStart()).isEqualTo(oracle.start);
        assertThat(log.endOffset()).isEqualTo(oracle.end);
        assertThat(log.lastEpoch()).isEqualTo(oracle.last());
        assertThat(log.starts()).isEqualTo(oracle.starts());
        for (int epoch = -1; epoch <= oracle.last() + 1; epoch++) {
            assertThat(log.endOffsetFor(epoch)).as("epoch %d of %s", epoch, log).isEqualTo(oracle.endOffsetFor(epoch));
        }
        for (long offset = Math.max(0, oracle.start - 1); offset <= oracle.end; offset++) {
            assertThat(log.epochAt(offset)).as("offset %d", offset).isEqualTo(oracle.epochOf.getOrDefault(offset, -1));
        }
    }

    @Example
    void refusesWhatNoLogCanHold() {
        EpochLog log = new EpochLog(2, 10, List.of(new EpochStart(3, 4)));
        assertThatIllegalArgumentException().isThrownBy(() -> log.append(2, 10, 11));
        assertThatIllegalArgumentException().isThrownBy(() -> log.append(3, 9, 11));
        assertThatIllegalArgumentException().isThrownBy(() -> log.append(3, 10, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> log.beginEpoch(2));
        assertThatIllegalArgumentException().isThrownBy(() -> log.advanceLogStart(11));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EpochLog(0, 5, List.of(new EpochStart(1, 0), new EpochStart(1, 3))));
        assertThatIllegalArgumentException().isThrownBy(() -> new EpochLog(0, 5, List.of(new EpochStart(1, 6))));
        assertThat(log.starts()).containsExactly(new EpochStart(3, 4));
    }
}
