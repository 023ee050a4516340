package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestCodec;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A quorum of one: its fsync is the test's, so what is committed is, too. */
class ControlPlaneTest {
    private final NodeSettings settings = TestSettings.node();
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final List<Runnable> fsyncs = new ArrayList<>();
    private final List<ControllerResponse> answers = new ArrayList<>();
    private final List<QuorumMessage.Response> quorumAnswers = new ArrayList<>();
    private final List<MetadataRecord> published = new ArrayList<>();
    private final List<ControlPlane.Leadership> leaderships = new ArrayList<>();
    private final TestCodec codec;
    private final ControlPlane control;

    ControlPlaneTest() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Path dir = settings.logDir().resolve("__cluster_metadata-0");
        disk.createDirectories(dir);
        Ports ports = TestPorts.of(loop, network, fsyncs::add, disk, StepListener.NONE);
        codec = (TestCodec) ports.codec();
        MetadataLog log = MetadataLog.open(ports, dir, LogConfig.DEFAULT.segmentIndexBytes(), 0);
        QuorumCore core = log.replica(settings.quorumConfig());
        control = new ControlPlane(
                settings, ports, log, core, batch -> published.addAll(batch.records()), leaderships::add);
    }

    @BeforeEach
    void leads() {
        control.start();
        loop.elapse(2L * settings.quorum().electionTimeoutMs());
        for (int i = 0; i < 10; i++) {
            fsync();
        }
        assertThat(leaderships)
                .last()
                .extracting(ControlPlane.Leadership::leaderId)
                .isEqualTo(1);
    }

    private void fsync() {
        List<Runnable> due = List.copyOf(fsyncs);
        fsyncs.clear();
        due.forEach(Runnable::run);
        loop.run();
    }

    private static final SortedMap<String, BrokerRegistration.FeatureRange> FEATURES =
            new TreeMap<>(Map.of("metadata.version", new BrokerRegistration.FeatureRange((short) 0, (short) 99)));

    private static ControllerRequest createTopic() {
        return new ControllerRequest.CreateTopics(
                List.of(new ControllerRequest.NewTopic("t", -1, (short) -1, null, new TreeMap<>())),
                false,
                List.of(),
                0);
    }

    private static ControllerRequest register() {
        return register(1);
    }

    private static ControllerRequest register(int broker) {
        return new ControllerRequest.RegisterBroker(
                broker,
                TestSettings.CLUSTER,
                new UUID(broker, 1),
                List.of(),
                FEATURES,
                null,
                List.of(new UUID(broker, 7)),
                -1);
    }

    private void ask(ControllerRequest request) {
        control.handle(request, answers::add);
        loop.run();
    }

    @Test
    void theControllerAnswersWhenItsRecordIsCommitted() {
        ask(register());
        assertThat(answers).isEmpty();
        assertThat(published).noneMatch(MetadataRecord.RegisterBroker.class::isInstance);
        fsync();
        assertThat(answers).singleElement().isInstanceOf(ControllerResponse.RegisteredBroker.class);
        assertThat(published).anyMatch(MetadataRecord.RegisterBroker.class::isInstance);
    }

    /** A committed batch that cannot be read ends the node; nothing behind it is published as if it had been. */
    @Test
    void whatCannotBeReadIsNotPassedOver() {
        ask(register());
        codec.refuses = true;
        assertThatThrownBy(this::fsync).hasMessage("unknown record");
        codec.refuses = false;
        ask(register(2));
        fsync();
        assertThat(published)
                .filteredOn(MetadataRecord.RegisterBroker.class::isInstance)
                .as("from the same batch on")
                .hasSize(2);
    }

    /** What waits for a commit must be refused, not left to hang, and never be claimed. */
    @Test
    void whoeverWaitsForACommitIsRefusedWhenLeadershipIsLost() {
        ask(register());
        control.resign();
        loop.run();
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControllerResponse.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.NOT_CONTROLLER));
        fsync();
        assertThat(answers).hasSize(1);
        ask(createTopic());
        assertThat(answers).last().isInstanceOf(ControllerResponse.Refused.class);
    }

    /** A node that stops may lead until its log is closed: nothing is decided, and appended, behind that. */
    @Test
    void closedItRefusesWhoWaitsAndWhoAsks() {
        ask(register());
        control.close();
        ask(register(2));
        loop.elapse(60_000);
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                ControllerResponse.Refused.class,
                                refused -> assertThat(refused.error()).isEqualTo(ErrorCode.NOT_CONTROLLER)));
    }

    private static QuorumMessage.MetadataFetch observer(int epoch, long offset, int lastEpoch, long hw) {
        return new QuorumMessage.MetadataFetch(
                TestSettings.CLUSTER, new ReplicaKey(9, new UUID(9, 9)), epoch, offset, lastEpoch, hw, 500);
    }

    private QuorumMessage.MetadataFetchResult fetched() {
        return (QuorumMessage.MetadataFetchResult) quorumAnswers.get(quorumAnswers.size() - 1);
    }

    private void fetch(long offset, long hw) {
        int epoch = leaderships.get(leaderships.size() - 1).epoch();
        control.handle(observer(epoch, offset, offset == 0 ? 0 : epoch, hw), quorumAnswers::add);
        loop.run();
    }

    @Test
    void aFetchThatHasEverythingIsParkedUntilSomethingMoves() {
        fetch(0, 0);
        assertThat(fetched().records().sizeInBytes()).isPositive();
        long hw = fetched().hw();
        fetch(hw, hw);
        assertThat(quorumAnswers).hasSize(1);
        ask(register());
        assertThat(quorumAnswers).as("the log's end moved").hasSize(2);
        assertThat(fetched().records().sizeInBytes()).isPositive();
        assertThat(fetched().hw()).isEqualTo(hw);
        fetch(hw + 1, hw);
        assertThat(quorumAnswers).hasSize(2);
        fsync();
        assertThat(quorumAnswers).as("the high watermark moved").hasSize(3);
        assertThat(fetched().hw()).isEqualTo(hw + 1);
        fetch(hw + 1, hw + 1);
        loop.elapse(499);
        assertThat(quorumAnswers).hasSize(3);
        loop.elapse(1);
        assertThat(quorumAnswers).as("its wait is over").hasSize(4);
        assertThat(fetched().records().sizeInBytes()).isZero();
        assertThat(fetched().diverging()).isNull();
    }

    @Test
    void aParkedFetchIsToldOfTheResignation() {
        fetch(0, 0);
        long hw = fetched().hw();
        fetch(hw, hw);
        control.resign();
        loop.run();
        fsync();
        assertThat(quorumAnswers).hasSize(2);
        assertThat(fetched().error()).isNotEqualTo(ErrorCode.NONE);
        assertThat(fetched().hw()).isEqualTo(-1);
    }
}
