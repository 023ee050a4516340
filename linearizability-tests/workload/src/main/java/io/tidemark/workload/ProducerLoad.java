package io.tidemark.workload;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One producer that sends unique values at a steady rate, to one partition after the other. */
final class ProducerLoad implements Runnable {
    private static final long SKIP_WHEN_BEHIND = 500_000_000L;

    private final WorkloadConfig config;
    private final Recorder recorder;
    private final AtomicLong values;
    private final String client;
    private final int number;
    private volatile boolean stopped;

    ProducerLoad(WorkloadConfig config, Recorder recorder, AtomicLong values, int number) {
        this.config = config;
        this.recorder = recorder;
        this.values = values;
        this.number = number;
        this.client = "producer-" + number;
    }

    void stop() {
        stopped = true;
    }

    /**
     * Sends until it is stopped, then waits for every outcome, at most as long as a delivery may take.
     *
     * @throws IllegalStateException if it was interrupted before
     */
    @Override
    public void run() {
        long interval = 1_000_000_000L * config.producers() / config.recordsPerSecond();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                config.producerConfig(client), new ByteArraySerializer(), new ByteArraySerializer())) {
            long due = System.nanoTime() + interval * number / config.producers();
            for (int turn = number; !stopped && !Thread.interrupted(); turn++) {
                long now = System.nanoTime();
                if (now < due) {
                    LockSupport.parkNanos(due - now);
                    turn--;
                    continue;
                }
                // A send that blocked is not made up for by a burst: the load stays steady.
                due = now - due > SKIP_WHEN_BEHIND ? now + interval : due + interval;
                send(producer, turn % config.partitions());
            }
            producer.close(Duration.ofMillis(WorkloadConfig.DELIVERY_TIMEOUT_MS + 5_000L));
        }
        if (!stopped) {
            throw new IllegalStateException(client + " was interrupted");
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, int partition) {
        long value = values.incrementAndGet();
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(config.topic(), partition, null, Payload.encode(value, config.valueBytes()));
        Recorder.Sending sending = recorder.sending(client, partition, value);
        try {
            var unused = producer.send(message, (metadata, error) -> {
                if (error == null) {
                    recorder.acknowledged(sending, metadata.hasOffset() ? metadata.offset() : -1);
                } else {
                    recorder.failed(sending, error.toString(), SendOutcome.definitelyFailed(error, attempts()));
                }
            });
        } catch (KafkaException refusedByTheClient) {
            // Thrown before the record entered the producer's buffer (no metadata, no memory): never sent.
            recorder.failed(sending, refusedByTheClient.toString(), true);
        }
    }

    /** With retries on, as here, a callback's error may follow any number of attempts. */
    private static int attempts() {
        return Integer.MAX_VALUE;
    }
}
