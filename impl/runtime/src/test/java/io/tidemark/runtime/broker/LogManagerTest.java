package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.runtime.TestBatches;
import io.tidemark.storage.Base64Uuid;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.PartitionLog;
import io.tidemark.storage.PartitionMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which of the directories found at the start is whose, and what is in it after a death. */
class LogManagerTest extends LogManagerHarness {
    private static final TopicPartition RECREATED = new TopicPartition(new UUID(2, 2), 0);

    private List<String> directories() throws IOException {
        return disk.list(ROOT).stream()
                .map(path -> String.valueOf(path.getFileName()))
                .filter(name -> name.startsWith("t-"))
                .sorted()
                .toList();
    }

    @Test
    void aReplicaFindsItsRecordsAgain() {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        assertThat(take(start(), OLD).log().logEndOffset()).isEqualTo(3);
    }

    @Test
    void whatWasFsyncedIsFoundAgainAfterAPowerLoss() {
        for (int seed = 0; seed < 100; seed++) {
            format();
            PartitionLog log = take(start(), OLD).log();
            append(log, 3);
            log.flush(3);
            append(log, 2);
            disk.losePower(new SplittableRandom(seed));
            assertThat(take(start(), OLD).log().logEndOffset())
                    .as("seed " + seed)
                    .isBetween(3L, 5L);
        }
    }

    /** A power loss may take the topic's id and leave records: they must not become records of another topic. */
    @Test
    void aTopicMadeAnewHasNothingOfTheOneBefore() throws IOException {
        int recordsWithoutId = 0;
        for (int seed = 0; seed < 100; seed++) {
            format();
            append(take(start(), OLD).log(), 3);
            disk.losePower(new SplittableRandom(seed));
            boolean noId = PartitionMetadata.read(disk, ROOT.resolve("t-0")).isEmpty();
            LogManager logs = start();
            assertThat(take(logs, RECREATED).log().logEndOffset())
                    .as("seed " + seed)
                    .isZero();
            logs.moveStraysAside();
            assertThat(directories()).contains("t-0").doesNotContain("t-0.0-delete");
            recordsWithoutId += noId && directories().contains("t-0.0-stray") ? 1 : 0;
            disk.kill();
            assertThat(take(start(), RECREATED).state().logEnd()).isZero();
        }
        assertThat(recordsWithoutId).isPositive();
    }

    @Test
    void theDirectoryOfADeletedTopicIsMovedAsideWithItsRecords() throws IOException {
        LogManager first = start();
        append(take(first, OLD).log(), 3);
        take(first, new TopicPartition(OLD.topicId(), 1));
        disk.kill();
        LogManager second = start();
        assertThat(directories()).containsExactly("t-0", "t-1");
        second.moveStraysAside();
        assertThat(directories()).as("without records there is nothing to keep").containsExactly("t-0.0-stray");
        disk.kill();
        start().moveStraysAside();
        assertThat(directories()).as("until the operator deletes it").containsExactly("t-0.0-stray");
    }

    @Test
    void whatIsTakenIsNoStray() throws IOException {
        append(take(start(), OLD).log(), 3);
        disk.kill();
        LogManager logs = start();
        PartitionLog log = take(logs, OLD).log();
        logs.moveStraysAside();
        assertThat(directories()).containsExactly("t-0");
        append(log, 1);
        assertThat(log.logEndOffset()).isEqualTo(4);
    }

    @Test
    void oneMalformedDirectoryTakesItsOwnReplicaOffline() throws IOException {
        TopicPartition other = new TopicPartition(OLD.topicId(), 1);
        for (String malformed : List.of("garbage", "version: 0\ntopic_id: ?\n", "version: 1\n", "\u0001")) {
            format();
            LogManager first = start();
            append(take(first, OLD).log(), 3);
            append(take(first, other).log(), 2);
            disk.kill();
            write("t-0", "partition.metadata", malformed.getBytes(StandardCharsets.UTF_8));
            LogManager logs = start();
            assertThat(logs.take(OLD, "t", 0)).isNull();
            assertThat(take(logs, other).state().logEnd()).isEqualTo(2);
            logs.moveStraysAside();
            assertThat(directories()).containsExactly("t-0", "t-1");
            disk.kill();
            write(
                    "t-0",
                    "partition.metadata",
                    ("version: 0\ntopic_id: " + Base64Uuid.encode(OLD.topicId()) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(take(start(), OLD).state().logEnd())
                    .as("once it is mended")
                    .isEqualTo(3);
        }
    }

    /** The id in the directory is known though the log is damaged: it says whose records they are. */
    @Test
    void anOfflineDirectoryIsInNoNewTopicsWay() throws IOException {
        config = new LogConfig(300, 100, 1_200, false);
        PartitionLog log = take(start(), OLD).log();
        append(log, 12);
        log.flush(12);
        disk.kill();
        disk.delete(ROOT.resolve("t-0").resolve("00000000000000000000.log"));

        LogManager logs = start();
        assertThat(logs.take(OLD, "t", 0)).as("damaged").isNull();
        assertThat(take(logs, RECREATED).state().logEnd()).isZero();
        assertThat(directories()).containsExactlyInAnyOrder("t-0", "t-0.0-stray");
        disk.kill();
        assertThat(take(start(), RECREATED).state().logEnd()).isZero();
    }

    @Test
    void aLeaderEpochThatThePartitionNeverHadIsMended() {
        PartitionLog log = take(start(), OLD).log();
        append(log, 2);
        RecordBytes bytes = TestBatches.produced(1);
        BatchFormat.assign(bytes.buffer(), bytes.buffer().position(), 2, 32768);
        log.append(TestBatches.header(bytes), bytes.buffer());
        disk.kill();
        LogManager.Opened opened = Objects.requireNonNull(start().take(OLD, "t", 2));
        assertThat(opened.state().epochs()).containsExactly(new EpochStart(0, 0));
        assertThat(opened.state().logEnd()).isEqualTo(3);
        disk.kill();
        assertThat(Objects.requireNonNull(start().take(OLD, "t", 40000)).state().epochs())
                .as("on disk too")
                .containsExactly(new EpochStart(0, 0));
    }
}
