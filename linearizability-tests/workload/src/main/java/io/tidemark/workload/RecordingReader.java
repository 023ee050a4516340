package io.tidemark.workload;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** A consumer with all partitions assigned that records what it is given; the base of all readers here. */
final class RecordingReader implements AutoCloseable {
    private final Recorder recorder;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private long process;

    RecordingReader(WorkloadConfig config, Recorder recorder, String client) {
        this.recorder = recorder;
        this.process = recorder.newProcess();
        for (int i = 0; i < config.partitions(); i++) {
            partitions.add(new TopicPartition(config.topic(), i));
        }
        this.consumer = new KafkaConsumer<>(
                config.consumerConfig(client), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(partitions);
    }

    KafkaConsumer<byte[], byte[]> consumer() {
        return consumer;
    }

    List<TopicPartition> partitions() {
        return partitions;
    }

    long process() {
        return process;
    }

    /** Starts over at the first offset of every partition. */
    void rewind() {
        consumer.seekToBeginning(partitions);
        List<String> keys = partitions.stream()
                .map(partition -> recorder.key(partition.partition()))
                .toList();
        recorder.read(process, Operation.Type.INVOKE, KafkaOps.ASSIGN, keys, null, 0);
        recorder.read(process, Operation.Type.OK, KafkaOps.ASSIGN, keys, null, 0);
    }

    /** One poll, recorded; the number of records it brought. */
    int poll(Duration timeout) {
        recorder.read(process, Operation.Type.INVOKE, KafkaOps.POLL, KafkaOps.pollInvoked(), null, 0);
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(timeout);
        } catch (KafkaException e) {
            recorder.read(process, Operation.Type.FAIL, KafkaOps.POLL, KafkaOps.pollInvoked(), e.toString(), 0);
            return 0;
        }
        Map<String, List<KafkaOps.Polled>> byKey = new LinkedHashMap<>();
        Map<String, List<List<Long>>> epochs = new LinkedHashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<KafkaOps.Polled> polled = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> message : records.records(partition)) {
                polled.add(new KafkaOps.Polled(message.offset(), value(message.value())));
            }
            String key = recorder.key(partition.partition());
            byKey.put(key, polled);
            epochs.put(key, PolledEpochs.of(records.records(partition)));
        }
        recorder.polled(process, KafkaOps.polled(byKey), epochs, records.count());
        return records.count();
    }

    /** What no workload writes is recorded as text, so that it shows as a value that nobody sent. */
    private static @Nullable Object value(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        return Payload.isValue(bytes)
                ? (Object) Payload.decode(bytes)
                : "undecodable: " + new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
    }
}
