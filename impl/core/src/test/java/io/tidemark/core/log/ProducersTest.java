package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ProducersTest {
    private final Producers producers = new Producers();

    private static BatchHeader sent(long id, int epoch, int sequence, int count) {
        return new BatchHeader(0, count - 1, -1, 100, 1000, id, (short) epoch, sequence, false, false);
    }

    private void append(BatchHeader batch, long offset) {
        producers.appended(batch.assigned(offset, 1));
    }

    @Example
    void aProducerWithoutStateMayStartAnywhere() {
        assertThat(producers.check(sent(7, 3, 42, 1))).isEqualTo(ErrorCode.NONE);
        append(sent(7, 3, 42, 1), 0);
        assertThat(producers.check(sent(7, 3, 43, 1))).isEqualTo(ErrorCode.NONE);
        assertThat(producers.check(sent(8, 0, 9, 1))).as("another").isEqualTo(ErrorCode.NONE);
    }

    @Example
    void sequencesFollow() {
        append(sent(7, 0, 0, 3), 0);
        assertThat(producers.check(sent(7, 0, 3, 1))).isEqualTo(ErrorCode.NONE);
        for (int wrong : new int[] {0, 1, 2, 4, Integer.MAX_VALUE}) {
            assertThat(producers.check(sent(7, 0, wrong, 1))).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        }
    }

    @Example
    void sequencesWrapToZero() {
        append(sent(7, 0, Integer.MAX_VALUE - 1, 2), 0);
        assertThat(producers.check(sent(7, 0, 0, 1))).isEqualTo(ErrorCode.NONE);
        assertThat(producers.check(sent(7, 0, 1, 1))).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        BatchHeader across = sent(8, 0, Integer.MAX_VALUE, 3);
        append(across, 2);
        assertThat(producers.duplicateOf(across)).isNotNull();
        assertThat(producers.check(sent(8, 0, 2, 1))).as("MAX, 0, 1, then 2").isEqualTo(ErrorCode.NONE);
    }

    @Example
    void aNewEpochBeginsAtZero() {
        append(sent(7, 0, 0, 3), 0);
        assertThat(producers.check(sent(7, 1, 3, 1))).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(producers.check(sent(7, 1, 0, 1))).isEqualTo(ErrorCode.NONE);
        append(sent(7, 1, 0, 1), 3);
        assertThat(producers.check(sent(7, 0, 3, 1))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
        assertThat(producers.duplicateOf(sent(7, 0, 0, 3)))
                .as("of the epoch before")
                .isNull();
    }

    @Example
    void anEndMarkerOfANewEpochForgetsTheSequences() {
        append(sent(7, 0, 0, 3), 0);
        producers.appended(new BatchHeader(3, 0, 1, 78, 9, 7, (short) 1, -1, true, true));
        assertThat(producers.check(sent(7, 1, 0, 1))).isEqualTo(ErrorCode.NONE);
        assertThat(producers.check(sent(7, 1, 3, 1))).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(producers.snapshot()).containsExactly(new ProducerEntry(7, (short) 1, 9, List.of()));
    }

    @Example
    void duplicatesAreWholeBatchesAmongTheLastFive() {
        for (int i = 0; i < 6; i++) {
            append(sent(7, 0, 2 * i, 2), 2 * i);
        }
        assertThat(producers.duplicateOf(sent(7, 0, 0, 2))).as("the sixth back").isNull();
        for (int i = 1; i < 6; i++) {
            assertThat(producers.duplicateOf(sent(7, 0, 2 * i, 2)).baseOffset()).isEqualTo(2 * i);
        }
        assertThat(producers.duplicateOf(sent(7, 0, 4, 1))).as("half a batch").isNull();
        assertThat(producers.duplicateOf(sent(7, 1, 4, 2))).as("another epoch").isNull();
        assertThat(producers.duplicateOf(sent(8, 0, 4, 2)))
                .as("another producer")
                .isNull();
    }

    @Example
    void aSnapshotHasProducersInOrderAndLoads() {
        append(sent(9, 0, 0, 1), 0);
        append(sent(7, 0, 0, 1), 1);
        List<ProducerEntry> snapshot = producers.snapshot();
        assertThat(snapshot).extracting(ProducerEntry::producerId).containsExactly(7L, 9L);
        Producers other = new Producers();
        other.appended(sent(1, 0, 0, 1).assigned(0, 1));
        other.load(snapshot);
        assertThat(other.snapshot()).isEqualTo(snapshot);
    }

    private record Sent(int id, int epoch, int sequence, int count) {}

    @Provide
    Arbitrary<List<Sent>> requests() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.frequencyOf(
                                net.jqwik.api.Tuple.of(5, Arbitraries.integers().between(0, 8)),
                                net.jqwik.api.Tuple.of(1, Arbitraries.just(Integer.MAX_VALUE))),
                        Arbitraries.integers().between(1, 3))
                .as(Sent::new)
                .list()
                .ofMaxSize(60);
    }

    /** Against the whole log, read anew at each request: what its last five batches of a producer say. */
    @Property
    void decidesAsTheLogDoes(@ForAll("requests") List<Sent> requests) {
        Producers producers = new Producers();
        List<BatchHeader> log = new ArrayList<>();
        long end = 0;
        for (Sent request : requests) {
            BatchHeader batch = sent(request.id(), request.epoch(), request.sequence(), request.count());
            List<BatchHeader> own = log.stream()
                    .filter(b -> b.producerId() == batch.producerId())
                    .toList();
            BatchHeader last = own.isEmpty() ? null : own.get(own.size() - 1);
            BatchHeader duplicate = null;
            int remembered = 0;
            for (int i = own.size() - 1; i >= 0 && remembered < 5; i--, remembered++) {
                BatchHeader known = own.get(i);
                if (known.producerEpoch() != last.producerEpoch()) {
                    break;
                }
                boolean same = known.producerEpoch() == batch.producerEpoch()
                        && known.baseSequence() == batch.baseSequence()
                        && known.count() == batch.count();
                duplicate = same ? known : duplicate;
            }
            ErrorCode expected = ErrorCode.NONE;
            if (last != null && batch.producerEpoch() < last.producerEpoch()) {
                expected = ErrorCode.INVALID_PRODUCER_EPOCH;
            } else if (last != null) {
                long next = batch.producerEpoch() > last.producerEpoch()
                        ? 0
                        : ((long) last.baseSequence() + last.count()) % (1L << 31);
                expected = batch.baseSequence() == next ? ErrorCode.NONE : ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER;
            }
            ProducerEntry.Batch found = producers.duplicateOf(batch);
            assertThat(found == null ? -1 : found.baseOffset())
                    .isEqualTo(duplicate == null ? -1 : duplicate.baseOffset());
            assertThat(producers.check(batch)).isEqualTo(expected);
            if (found == null && expected == ErrorCode.NONE) {
                BatchHeader appended = batch.assigned(end, 1);
                log.add(appended);
                producers.appended(appended);
                end = appended.nextOffset();
            }
        }
        Producers replayed = new Producers();
        log.forEach(replayed::appended);
        assertThat(replayed.snapshot()).isEqualTo(producers.snapshot());
        long cut = end / 2;
        producers.truncateTo(cut);
        assertThat(producers.snapshot())
                .allSatisfy(entry -> assertThat(entry.batches()).allMatch(b -> b.lastOffset() < cut));
    }
}
