package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.workload.AckTimeline;
import io.tidemark.workload.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** An idempotent producer with acks=all that writes ascending numbers to partition 0, and what it was told. */
final class AckedLoad implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int VALUE_BYTES = 512;

    private final TopicPartition partition;
    private final String bootstrap;
    private final Thread sender = new Thread(this::send, "load");
    private final Map<Long, Long> ackedAt = new TreeMap<>();
    private final AckTimeline timeline = new AckTimeline();
    private final List<String> errors = new ArrayList<>();
    private volatile boolean stopped;
    private long sent;

    AckedLoad(String bootstrap, String topic) {
        this.bootstrap = bootstrap;
        this.partition = new TopicPartition(topic, 0);
        sender.start();
    }

    private void send() {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrap,
                "request.timeout.ms",
                4_000,
                "delivery.timeout.ms",
                60_000,
                "max.block.ms",
                60_000,
                "retry.backoff.max.ms",
                200,
                "reconnect.backoff.max.ms",
                200);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            while (!stopped) {
                long value = sent++;
                long at = System.nanoTime();
                var unused = producer.send(
                        new ProducerRecord<>(
                                partition.topic(), partition.partition(), null, Payload.encode(value, VALUE_BYTES)),
                        (metadata, error) -> told(value, at, metadata == null ? -1 : metadata.offset(), error));
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private synchronized void told(long value, long sentAt, long offset, @Nullable Exception error) {
        if (error != null) {
            errors.add(value + ": " + error);
        } else {
            ackedAt.put(offset, value);
            timeline.add(sentAt, System.nanoTime());
        }
    }

    synchronized int acked() {
        return ackedAt.size();
    }

    /** The longest time without an acknowledgement since then, in ms. */
    synchronized long longestGapMs(long sinceNanos) {
        long now = System.nanoTime();
        return TimeUnit.NANOSECONDS.toMillis(Math.max(
                timeline.recoveryNanos(sinceNanos).orElse(now - sinceNanos),
                timeline.longestGapAfterRecoveryNanos(sinceNanos, now)));
    }

    /** Waits until so many more records are acknowledged than when it was called. */
    void awaitAcks(int more, Duration limit) throws InterruptedException {
        int enough = acked() + more;
        CrashRecoveryIT.await(limit, more + " further acknowledgements", () -> acked() >= enough);
    }

    /** Stops, and waits for every answer. */
    @Override
    public void close() {
        stopped = true;
        boolean interrupted = false;
        while (sender.isAlive()) {
            try {
                sender.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every record was acknowledged, and the partition holds exactly those, once each, in order, at those offsets. */
    void verify() {
        close();
        assertThat(errors).isEmpty();
        assertThat(ackedAt).hasSize((int) sent);
        List<ConsumerRecord<byte[], byte[]>> records = readAll();
        Set<Long> values = new HashSet<>();
        long before = -1;
        for (ConsumerRecord<byte[], byte[]> each : records) {
            long value = Payload.decode(each.value());
            assertThat(ackedAt).containsEntry(each.offset(), value);
            assertThat(values.add(value)).as("value %s twice", value).isTrue();
            assertThat(value).isGreaterThan(before);
            before = value;
        }
        assertThat(records).hasSize((int) sent);
    }

    private List<ConsumerRecord<byte[], byte[]>> readAll() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (consumer.position(partition) < end && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }
}
