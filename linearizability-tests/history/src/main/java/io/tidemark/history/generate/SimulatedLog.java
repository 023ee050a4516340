package io.tidemark.history.generate;

import io.tidemark.history.KafkaOps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The log of one partition: at each offset a value of a leader epoch, or nothing. */
final class SimulatedLog {
    private static final long HOLE = -1;

    final String key;
    private long[] values = new long[64];
    private int[] epochs = new int[64];
    private int size;
    private int epoch;

    SimulatedLog(String key) {
        this.key = key;
    }

    /** Appends a record and returns its offset. */
    long append(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
            epochs = Arrays.copyOf(epochs, size * 2);
        }
        values[size] = value;
        epochs[size] = epoch;
        return size++;
    }

    long leaveHole() {
        return append(HOLE);
    }

    void fill(long offset, long value) {
        values[(int) offset] = value;
    }

    /** Forgets the last records; what is appended from now on is of a new epoch. */
    void truncate(int records) {
        size = Math.max(0, size - records);
        epoch++;
    }

    int size() {
        return size;
    }

    int epoch() {
        return epoch;
    }

    long value(int offset) {
        return values[offset];
    }

    /** What a reader is given from an offset on. */
    List<KafkaOps.Polled> read(int from, int most) {
        List<KafkaOps.Polled> records = new ArrayList<>();
        for (int offset = from; offset < Math.min(size, from + most); offset++) {
            if (values[offset] != HOLE) {
                records.add(new KafkaOps.Polled(offset, values[offset]));
            }
        }
        return records;
    }

    /** Pairs of offset and epoch, one for each epoch of some offsets. */
    List<List<Long>> epochs(int from, int to) {
        List<List<Long>> runs = new ArrayList<>();
        for (int offset = from; offset < Math.min(size, to); offset++) {
            if (offset == from || epochs[offset] != epochs[offset - 1]) {
                runs.add(List.of((long) offset, (long) epochs[offset]));
            }
        }
        return runs;
    }
}
