package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.Turn;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.memory.MemoryDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControllerRunnerTest {
    private static final long UNCLEAN_MS = 700;
    private static final long IMBALANCE_MS = 5_000;

    private static final MetadataCodec NO_CODEC = new MetadataCodec() {
        @Override
        public RecordBytes encode(List<MetadataRecord> records, long timestampMs) {
            throw new AssertionError("nothing is to be appended: " + records);
        }

        @Override
        public RecordBytes encodeControl(List<ControlRecord> records, long timestampMs) {
            throw new AssertionError("nothing is to be appended: " + records);
        }

        @Override
        public List<MetadataRecord> decode(ByteBuffer batch) {
            return List.of();
        }

        @Override
        public List<ControlRecord> decodeControl(ByteBuffer batch) {
            return List.of();
        }
    };

    private static final RecordScanner NO_SCANNER = new RecordScanner() {
        @Override
        public @Nullable TimestampOffset firstAtOrAfter(BatchHeader header, ByteBuffer batch, long time, long from) {
            return null;
        }

        @Override
        public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
            return null;
        }
    };

    private record Scheduled(long atMs, Runnable task) {}

    /** Runs what is posted at once, and timers when time is told to pass. */
    private static final class Loop implements EventLoop {
        private final List<Scheduled> timers = new ArrayList<>();
        private long now;

        @Override
        public void post(Runnable task) {
            task.run();
        }

        @Override
        public boolean tryPost(Runnable task) {
            task.run();
            return true;
        }

        @Override
        public Timer schedule(long delayMs, Runnable task) {
            Scheduled timer = new Scheduled(now + delayMs, task);
            timers.add(timer);
            return () -> timers.remove(timer);
        }

        @Override
        public long nowMs() {
            return now;
        }

        void elapse(long ms) {
            now += ms;
            List<Scheduled> due =
                    timers.stream().filter(timer -> timer.atMs() <= now).toList();
            timers.removeAll(due);
            due.forEach(timer -> timer.task().run());
        }
    }

    private final Loop loop = new Loop();
    private final List<ControllerInput> inputs = new ArrayList<>();

    @Test
    void leaderlessPartitionsAreLookedForAsOftenAsConfigured() {
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        runner().activate(1, 1, metadata);
        inputs.clear();
        loop.elapse(UNCLEAN_MS - 1);
        assertThat(inputs).isEmpty();
        loop.elapse(1);
        loop.elapse(UNCLEAN_MS);
        assertThat(inputs)
                .containsExactly(
                        new ControllerInput.UncleanElectionTimeout(), new ControllerInput.UncleanElectionTimeout());
    }

    private ControllerRunner runner() {
        StepListener listener = new StepListener() {
            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                inputs.add(input);
            }
        };
        Ports ports = new Ports(
                loop,
                loop,
                Runnable::run,
                Runnable::run,
                (to, channel, request, timeoutMs, on, done) -> {},
                () -> 0,
                new MemoryDisk(),
                NO_CODEC,
                NO_SCANNER,
                new Random(1),
                listener);
        return new ControllerRunner(settings(), ports, new Turn());
    }

    private static NodeSettings settings() {
        return new NodeSettings(
                1,
                "cluster",
                new UUID(1, 1),
                new UUID(2, 2),
                Path.of("data"),
                false,
                true,
                List.of(),
                List.of(),
                "PLAINTEXT",
                "CONTROLLER",
                null,
                List.of(),
                VoterSet.EMPTY,
                new ControllerConfig(1, "cluster", 1, 1, new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), Guards.ALL),
                new TreeMap<>(),
                new NodeSettings.Quorum(1_000, 2_000, 1_000, 2_000, 20),
                new NodeSettings.Broker(
                        9_000,
                        2_000,
                        30_000,
                        500,
                        1 << 20,
                        1_000,
                        30_000,
                        30_000,
                        60_000,
                        5_000,
                        IMBALANCE_MS,
                        true,
                        UNCLEAN_MS),
                new NodeSettings.Logs(Long.MAX_VALUE, 60_000, 60_000, 86_400_000, 600_000),
                LogConfig.DEFAULT,
                new TreeMap<>());
    }
}
