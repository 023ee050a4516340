package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.Ports;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.PartitionName;
import io.tidemark.storage.memory.Faults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a broker may say that it stopped with all that it had, and what is on disk by then. */
class CleanStopTest extends LogManagerHarness {
    /** What may have become of a log after a clean stop. */
    enum Damage {
        NONE,
        MOVED_AWAY,
        OFFLINE,
        OFFLINE_THEN_MOVED_AWAY,
        CUT,
        WITHOUT_TOPIC_ID,
        CHECKPOINT_GONE,
        CHECKPOINT_GARBAGE
    }

    private void cleanStop(long brokerEpoch) {
        Ports ports = ports(Runnable::run);
        LogManager logs = start(ports);
        LogManager.Opened opened = logs.take(OLD, "t", 0);
        logs.closeAll(opened == null ? List.of() : List.of(host(opened, ports)), brokerEpoch);
        disk.kill();
    }

    /** Else a broker that lacks records would keep its place in the ELR, and might be elected. */
    @ParameterizedTest
    @EnumSource
    void aCleanStopCountsOnlyWhereAllThatItLeftIsHere(Damage damage) throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        cleanStop(8);
        switch (damage) {
            case NONE -> {}
            case MOVED_AWAY -> disk.deleteTree(ROOT.resolve("t-0"));
            case OFFLINE -> write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));
            case OFFLINE_THEN_MOVED_AWAY -> {
                write("t-0", "partition.metadata", "what is this".getBytes(StandardCharsets.UTF_8));
                cleanStop(9);
                disk.deleteTree(ROOT.resolve("t-0"));
            }
            case WITHOUT_TOPIC_ID -> disk.delete(ROOT.resolve("t-0/partition.metadata"));
            case CHECKPOINT_GONE -> disk.delete(ROOT.resolve("recovery-point-offset-checkpoint"));
            case CHECKPOINT_GARBAGE ->
                write(".", "recovery-point-offset-checkpoint", "what is this".getBytes(StandardCharsets.UTF_8));
            case CUT -> {
                try (FileHandle handle = disk.open(ROOT.resolve("t-0/00000000000000000000.log"), false)) {
                    handle.truncate(handle.size() - 1);
                }
            }
        }
        assertThat(start().previousBrokerEpoch()).isEqualTo(damage == Damage.NONE ? 8 : -1);
    }

    /** Checkpoints that waited behind a slow fsync while the node stopped: they know nothing of what the mark vouches for. */
    @Test
    void whatStillWaitsToBeWrittenDoesNotReplaceWhatTheStopWrote() throws IOException {
        List<Runnable> flushes = new ArrayList<>();
        Ports ports = ports(flushes::add);
        LogManager logs = start(ports);
        logs.checkpointRecoveryPoints(List.of());
        logs.checkpointHighWatermarks(List.of());
        LogManager.Opened opened = take(logs, OLD);
        append(opened.log(), 3);
        logs.closeAll(List.of(host(opened, ports)), 8);
        assertThat(flushes).hasSize(2);
        flushes.forEach(Runnable::run);
        disk.kill();
        disk.deleteTree(ROOT.resolve("t-0"));
        assertThat(start().previousBrokerEpoch()).isEqualTo(-1);
    }

    /** It would join the ISR by its end, and once it led, the others would hide what they still hold. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogWhoseFirstSegmentIsGoneIsOffline(boolean clean) throws IOException {
        config = new LogConfig(200, 4096, 1200, false);
        append(take(start(), OLD).log(), 12);
        disk.kill();
        cleanStop(8);
        assertThat(start().previousBrokerEpoch()).isEqualTo(8);
        disk.kill();
        if (clean) {
            cleanStop(9);
        }
        assertThat(disk.delete(ROOT.resolve("t-0/00000000000000000000.log"))).isTrue();
        LogManager logs = start();
        assertThat(logs.take(OLD, "t", 0)).isNull();
        assertThat(logs.previousBrokerEpoch()).isEqualTo(-1);
        logs.closeAll(List.of(), 10);
        disk.kill();
        assertThat(start().take(OLD, "t", 0)).as("in the next life, too").isNull();
    }

    /** As Kafka's retention leaves it while this node is down, or somebody who edits both: used, but not what the stop left. */
    @Test
    void aLogThatBeginsLaterThanTheStopLeftItIsUsedAndTheStopNotClean() throws IOException {
        config = new LogConfig(200, 4096, 1200, false);
        append(take(start(), OLD).log(), 12);
        disk.kill();
        cleanStop(8);
        assertThat(disk.delete(ROOT.resolve("t-0/00000000000000000000.log"))).isTrue();
        long second = disk.list(ROOT.resolve("t-0")).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".log"))
                .mapToLong(name -> Long.parseLong(name.replace(".log", "")))
                .min()
                .orElseThrow();
        write("t-0", "leader-epoch-checkpoint", ("0\n1\n0 " + second + "\n").getBytes(StandardCharsets.UTF_8));
        LogManager logs = start();
        assertThat(take(logs, OLD).state().logStart()).isEqualTo(second);
        assertThat(logs.previousBrokerEpoch()).isEqualTo(-1);
    }

    /** A process that is killed on the way leaves no log that looks as if its records had been lost. */
    @Test
    void aLogThatIsStartedAnewIsNoDamage() {
        config = new LogConfig(200, 4096, 1200, false);
        Ports ports = ports(Runnable::run);
        LogManager logs = start(ports);
        LogManager.Opened opened = take(logs, OLD);
        append(opened.log(), 12);
        opened.log().writeEpochs(List.of(new EpochStart(0, 0)));
        opened.log().flush(Long.MAX_VALUE);
        PartitionHost host = host(opened, ports);
        logs.startAnew(host, 40);
        opened.log().truncateFullyAndStartAt(40);
        append(opened.log(), 1);
        disk.kill();
        LogManager.Opened again = take(start(), OLD);
        assertThat(again.state().logStart()).isEqualTo(40);
        assertThat(again.state().logEnd()).isEqualTo(41);
    }

    /** As the log grows again, a high watermark above its new end would call committed what nobody has committed. */
    @Test
    void beforeALogIsStartedAnewItsHighWatermarkOnDiskIsLowered() throws IOException {
        append(take(start(), OLD).log(), 12);
        disk.kill();
        cleanStop(8);
        write(".", "replication-offset-checkpoint", "0\n1\nt 0 12\n".getBytes(StandardCharsets.UTF_8));
        Ports ports = ports(Runnable::run);
        LogManager logs = start(ports);
        LogManager.Opened opened = take(logs, OLD);
        assertThat(opened.state().hw()).isEqualTo(12);
        logs.startAnew(host(opened, ports), 5);
        disk.kill();
        assertThat(LogDirectory.open(disk, ROOT).highWatermark(new PartitionName("t", 0)))
                .isEqualTo(5);
    }

    /** A start that was higher before would hide, or delete, what is appended from the lower one on. */
    @ParameterizedTest
    @CsvSource({"12, true", "12, false", "60, true", "60, false"})
    void aLogThatIsStartedAnewLowerKeepsWhatItGets(int records, boolean clean) {
        Ports ports = ports(Runnable::run);
        LogManager logs = start(ports);
        LogManager.Opened opened = take(logs, OLD);
        PartitionHost host = host(opened, ports);
        for (long start : new long[] {40, 0}) {
            logs.startAnew(host, start);
            opened.log().truncateFullyAndStartAt(start);
            logs.startedAnew(host, start);
        }
        append(opened.log(), records);
        opened.log().flush(Long.MAX_VALUE);
        if (clean) {
            logs.closeAll(List.of(host), 7);
        }
        disk.kill();
        LogManager.Opened again = take(start(), OLD);
        assertThat(again.state().logStart()).isZero();
        assertThat(again.state().logEnd()).isEqualTo(records);
    }

    /** It has changed nothing: what the stop before it left is what there is, all of it or not. */
    @Test
    void aLifeThatNeverRegisteredLeavesTheMarkOfTheOneBefore() throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        cleanStop(8);
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(8);
        disk.kill();
        // The start above took the mark: a life that was killed came between.
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(-1);
        disk.kill();
        cleanStop(9);
        disk.deleteTree(ROOT.resolve("t-0"));
        cleanStop(-1);
        assertThat(start().previousBrokerEpoch()).isEqualTo(-1);
    }

    /** In an orderly stop the logs come first, then what says of them that they are on disk, then what says that all are. */
    @Test
    void aStopFsyncsBeforeItSaysSo() {
        LogManager first = start();
        append(take(first, new TopicPartition(OLD.topicId(), 1)).log(), 2);
        disk.kill();
        LogManager logs = start();
        LogManager.Opened opened = take(logs, OLD);
        append(opened.log(), 3);
        List<String> effects = new ArrayList<>();
        disk.setFaults(new Faults() {
            @Override
            public void after(Effect effect, Path path) {
                String name = ROOT.relativize(path).toString();
                if (effect == Effect.FORCE && name.endsWith("0.log")) {
                    effects.add(name);
                } else if (effect == Effect.RENAME || effect == Effect.CREATE) {
                    effects.add(name);
                }
            }
        });
        logs.closeAll(List.of(host(opened, ports(Runnable::run))), 8);
        disk.setFaults(Faults.NONE);

        int lastForced = Math.max(
                effects.indexOf("t-0/00000000000000000000.log"), effects.indexOf("t-1/00000000000000000000.log"));
        assertThat(effects).contains("t-0/00000000000000000000.log", "t-1/00000000000000000000.log");
        assertThat(effects.indexOf("recovery-point-offset-checkpoint")).isGreaterThan(lastForced);
        assertThat(effects).containsOnlyOnce(".kafka_cleanshutdown").last().isEqualTo(".kafka_cleanshutdown");

        disk.losePower(new SplittableRandom(1));
        LogManager again = start();
        assertThat(again.previousBrokerEpoch()).isEqualTo(8);
        assertThat(take(again, OLD).log().logEndOffset()).isEqualTo(3);
        assertThat(take(again, new TopicPartition(OLD.topicId(), 1)).log().logEndOffset())
                .isEqualTo(2);
    }
}
