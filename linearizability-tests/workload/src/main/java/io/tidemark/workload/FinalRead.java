package io.tidemark.workload;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads every partition from its first offset to its end offset, once the load has ended. A partition is complete when
 * all below the end offset was read and the end offset, asked for again a while later, has not moved: what the leader
 * holds becomes readable only once its followers have it.
 */
final class FinalRead {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private final WorkloadConfig config;
    private final Recorder recorder;
    private final Workload.FinalReadProgress progress;

    FinalRead(WorkloadConfig config, Recorder recorder, Workload.FinalReadProgress progress) {
        this.config = config;
        this.recorder = recorder;
        this.progress = progress;
    }

    /**
     * What was read of each partition whose end offset is known, by partition number.
     *
     * @param deadline on the clock of {@link System#nanoTime}
     * @throws InterruptedException at once, although the consumer takes an interrupt for one more error to retry
     */
    Map<Integer, KafkaOps.Extent> read(long deadline) throws InterruptedException {
        try (RecordingReader reader = new RecordingReader(config, recorder, "final-reader")) {
            recorder.read(reader.process(), Operation.Type.INVOKE, KafkaOps.FINAL_READ, null, null, 0);
            Map<Integer, KafkaOps.Extent> extents = read(reader, deadline);
            Map<String, KafkaOps.Extent> byKey = new LinkedHashMap<>();
            extents.forEach((partition, extent) -> byKey.put(recorder.key(partition), extent));
            boolean complete = extents.size() == config.partitions()
                    && extents.values().stream().allMatch(KafkaOps.Extent::complete);
            recorder.read(
                    reader.process(),
                    complete ? Operation.Type.OK : Operation.Type.INFO,
                    KafkaOps.FINAL_READ,
                    KafkaOps.extents(byKey),
                    complete ? null : "cut short",
                    0);
            return extents;
        }
    }

    private Map<Integer, KafkaOps.Extent> read(RecordingReader reader, long deadline) throws InterruptedException {
        Map<TopicPartition, Long> starts = null;
        Map<TopicPartition, Long> ends = null;
        boolean complete = false;
        long movedAt = 0;
        while (!complete && System.nanoTime() < deadline) {
            checkInterrupted();
            if (starts == null) {
                starts = ask(() -> reader.consumer().beginningOffsets(reader.partitions()));
                if (starts != null) {
                    reader.rewind();
                }
                continue;
            }
            Map<TopicPartition, Long> asked = ask(() -> reader.consumer().endOffsets(reader.partitions()));
            if (asked == null) {
                continue;
            }
            if (!asked.equals(ends)) {
                movedAt = System.nanoTime();
            }
            ends = asked;
            complete = !behind(reader, ends) && System.nanoTime() - movedAt >= SETTLED.toNanos();
            do {
                reader.poll(POLL);
                checkInterrupted();
                tell(reader, starts, ends);
            } while (behind(reader, ends) && System.nanoTime() < deadline);
        }
        return extents(reader, starts, ends, complete);
    }

    private void tell(RecordingReader reader, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        int complete = 0;
        long read = 0;
        long all = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            long start = starts.getOrDefault(end.getKey(), 0L);
            long position = Math.max(start, position(reader, end.getKey()));
            complete += position >= end.getValue() ? 1 : 0;
            read += Math.min(position, end.getValue()) - start;
            all += end.getValue() - start;
        }
        progress.at(complete, read, all);
    }

    private static void checkInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("final read");
        }
    }

    private Map<Integer, KafkaOps.Extent> extents(
            RecordingReader reader,
            @Nullable Map<TopicPartition, Long> starts,
            @Nullable Map<TopicPartition, Long> ends,
            boolean complete) {
        Map<Integer, KafkaOps.Extent> extents = new LinkedHashMap<>();
        for (TopicPartition partition : reader.partitions()) {
            Long start = starts == null ? null : starts.get(partition);
            Long end = ends == null ? null : ends.get(partition);
            if (start != null && end != null) {
                boolean read = complete || !behind(reader, partition, end);
                extents.put(partition.partition(), new KafkaOps.Extent(start, end, read));
            }
        }
        return extents;
    }

    private static boolean behind(RecordingReader reader, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().anyMatch(end -> behind(reader, end.getKey(), end.getValue()));
    }

    private static boolean behind(RecordingReader reader, TopicPartition partition, long end) {
        return position(reader, partition) < end;
    }

    /** The offset that is read next, -1 where it is not known. */
    private static long position(RecordingReader reader, TopicPartition partition) {
        try {
            return reader.consumer().position(partition, Duration.ofSeconds(2));
        } catch (KafkaException e) {
            return -1;
        }
    }

    private static <T> @Nullable T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (KafkaException e) {
            // Asked again until the deadline.
            return null;
        }
    }
}
