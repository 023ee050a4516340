package io.tidemark.workload;

import io.tidemark.history.HistoryWriter;
import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Records what any Kafka clients see, for {@code history check}: send, poll and read to the end through it instead of through
 * the clients themselves. Values must be unique in a partition, numbers or strings, and a record names its partition. Sends
 * may come from several threads; a consumer is used by one, as always.
 */
public final class ClientHistory {
    private final HistoryWriter history;
    private final Deque<Long> idle = new ArrayDeque<>();
    private final Map<Object, Long> readers = new HashMap<>();
    private long processes;

    /** @param history closed by whoever made it, once the clients are */
    public ClientHistory(HistoryWriter history) {
        this.history = history;
    }

    /**
     * Sends a record. Its outcome is recorded when it is known; a send of which nothing is heard may take effect at any time.
     *
     * @param client a name for the producer, by which the order of its records is judged
     * @throws IllegalArgumentException if the record names no partition, or has no value
     * @throws KafkaException what the producer throws; the record was not sent then
     */
    public <K, V> Future<RecordMetadata> send(String client, Producer<K, V> producer, ProducerRecord<K, V> message) {
        Integer partition = message.partition();
        Object value = number(message.value());
        if (partition == null || value == null) {
            throw new IllegalArgumentException("a record without a " + (partition == null ? "partition" : "value")
                    + "; expected one, as the history names it");
        }
        String key = KafkaOps.key(message.topic(), partition);
        Map<Keyword, @Nullable Object> extra = Map.of(KafkaOps.CLIENT, client);
        long process = begin(KafkaOps.SEND, KafkaOps.sendInvoked(key, value), extra);
        try {
            return producer.send(message, (metadata, error) -> {
                if (error == null) {
                    Object answer = metadata.hasOffset()
                            ? KafkaOps.sendAcked(key, metadata.offset(), value)
                            : KafkaOps.sendInvoked(key, value);
                    end(process, Operation.Type.OK, KafkaOps.SEND, answer, null, extra);
                } else {
                    // The client does not tell how often it tried: an earlier attempt may have been appended.
                    end(process, Operation.Type.INFO, KafkaOps.SEND, KafkaOps.sendInvoked(key, value), error, extra);
                }
            });
        } catch (KafkaException e) {
            end(process, Operation.Type.FAIL, KafkaOps.SEND, KafkaOps.sendInvoked(key, value), e, extra);
            throw e;
        }
    }

    /** Polls. Call {@link #assigned} first, and whenever the consumer is given other partitions or another position. */
    public <K, V> ConsumerRecords<K, V> poll(Consumer<K, V> consumer, Duration timeout) {
        long process = reader(consumer);
        history.append(process, Operation.Type.INVOKE, KafkaOps.POLL, KafkaOps.pollInvoked());
        ConsumerRecords<K, V> records;
        try {
            records = consumer.poll(timeout);
        } catch (KafkaException e) {
            history.append(process, Operation.Type.FAIL, KafkaOps.POLL, KafkaOps.pollInvoked(), e.toString(), Map.of());
            throw e;
        }
        Map<String, List<KafkaOps.Polled>> byKey = new LinkedHashMap<>();
        Map<Object, Object> epochs = new LinkedHashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<KafkaOps.Polled> polled = new ArrayList<>();
            for (ConsumerRecord<K, V> message : records.records(partition)) {
                polled.add(new KafkaOps.Polled(message.offset(), number(message.value())));
            }
            byKey.put(key(partition), polled);
            List<List<Long>> pairs = PolledEpochs.of(records.records(partition));
            if (!pairs.isEmpty()) {
                epochs.put(key(partition), pairs);
            }
        }
        history.append(
                process,
                Operation.Type.OK,
                KafkaOps.POLL,
                KafkaOps.polled(byKey),
                null,
                epochs.isEmpty() ? Map.of() : Map.of(KafkaOps.LEADER_EPOCHS, epochs));
        return records;
    }

    /** The consumer was assigned partitions, or has sought: its reading begins anew. */
    public void assigned(Consumer<?, ?> consumer) {
        List<String> keys =
                consumer.assignment().stream().map(ClientHistory::key).sorted().toList();
        long process = reader(consumer);
        history.append(process, Operation.Type.INVOKE, KafkaOps.ASSIGN, keys);
        history.append(process, Operation.Type.OK, KafkaOps.ASSIGN, keys);
    }

    /**
     * Reads partitions from their beginnings to where they end now: without this nothing can be said about loss. To be called
     * when all sends are answered and the cluster is whole.
     *
     * @param limit after which it is given up, and recorded as incomplete
     * @return whether everything was read
     */
    public boolean readToTheEnd(Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        long process = reader(consumer);
        history.append(process, Operation.Type.INVOKE, KafkaOps.FINAL_READ, null);
        assigned(consumer);
        Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (behind(consumer, ends) && System.nanoTime() - deadline < 0) {
            poll(consumer, Duration.ofMillis(100));
        }
        Map<String, KafkaOps.Extent> extents = new TreeMap<>();
        ends.forEach((at, end) -> extents.put(
                key(at), new KafkaOps.Extent(starts.getOrDefault(at, 0L), end, consumer.position(at) >= end)));
        boolean complete = extents.values().stream().allMatch(KafkaOps.Extent::complete);
        history.append(
                process,
                complete ? Operation.Type.OK : Operation.Type.INFO,
                KafkaOps.FINAL_READ,
                KafkaOps.extents(extents),
                complete ? null : "cut short",
                Map.of());
        return complete;
    }

    private static boolean behind(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
    }

    private static String key(TopicPartition partition) {
        return KafkaOps.key(partition.topic(), partition.partition());
    }

    /** EDN has one kind of integer. */
    private static @Nullable Object number(@Nullable Object value) {
        return value instanceof Integer small ? (Object) small.longValue() : value;
    }

    private synchronized long reader(Consumer<?, ?> consumer) {
        return readers.computeIfAbsent(consumer, one -> processes++);
    }

    private long begin(String f, Object value, Map<Keyword, @Nullable Object> extra) {
        long process;
        synchronized (this) {
            Long free = idle.pollFirst();
            process = free == null ? processes++ : free;
        }
        history.append(process, Operation.Type.INVOKE, f, value, null, extra);
        return process;
    }

    /** A process whose operation may still take effect is not used again. */
    private void end(
            long process,
            Operation.Type type,
            String f,
            Object value,
            @Nullable Exception error,
            Map<Keyword, @Nullable Object> extra) {
        history.append(process, type, f, value, error == null ? null : error.toString(), extra);
        if (type != Operation.Type.INFO) {
            synchronized (this) {
                idle.addLast(process);
            }
        }
    }
}
