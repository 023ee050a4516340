package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.StepQueue;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ControllerRunnerTest {
    private final NodeSettings settings = TestSettings.node();

    /** Its quorum takes no records. */
    private ControllerRunner notLeading(ManualLoop loop, StepListener listener) throws IOException {
        MemoryDisk disk = new MemoryDisk();
        Path dir = settings.logDir().resolve("__cluster_metadata-0");
        disk.createDirectories(dir);
        Ports ports = TestPorts.of(loop, new ManualNetwork(), Runnable::run, disk, listener);
        MetadataLog log = MetadataLog.open(ports, dir, LogConfig.DEFAULT.segmentIndexBytes(), 0);
        StepQueue steps = new StepQueue();
        QuorumCore core = log.replica(settings.quorumConfig());
        QuorumRunner quorum = new QuorumRunner(settings, ports, steps, log, core, new QuorumRunner.Listener() {
            @Override
            public void committed(long hw) {}

            @Override
            public void roleChanged(QuorumEffect.RoleChanged change) {}

            @Override
            public void leaderReady(int epoch, long nextOffset) {}
        });
        return new ControllerRunner(settings, ports, steps, quorum);
    }

    @Test
    void leaderlessPartitionsAreLookedForAsOftenAsConfigured() throws IOException {
        List<ControllerInput> looks = new ArrayList<>();
        StepListener listener = new StepListener() {
            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                if (input instanceof ControllerInput.UncleanElectionTimeout) {
                    looks.add(input);
                }
            }
        };
        ManualLoop loop = new ManualLoop();
        ControllerRunner runner = notLeading(loop, listener);
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        runner.activate(1, 1, metadata);

        long interval = settings.brokerTimes().uncleanElectionIntervalMs();
        loop.elapse(interval - 1);
        assertThat(looks).isEmpty();
        loop.elapse(1);
        assertThat(looks).hasSize(1);
        loop.elapse(interval);
        assertThat(looks).hasSize(2);
    }

    /** Who leads again later gives every broker a new session: that of the earlier epoch must not end it. */
    @Test
    void aSessionEndsWithTheControllerThatBeganIt() throws IOException {
        List<Long> expired = new ArrayList<>();
        ManualLoop loop = new ManualLoop();
        StepListener listener = new StepListener() {
            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                if (input instanceof ControllerInput.BrokerSessionTimeout) {
                    expired.add(loop.nowMs());
                }
            }
        };
        ControllerRunner runner = notLeading(loop, listener);
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        metadata.apply(
                1,
                new MetadataRecord.RegisterBroker(new BrokerRegistration(
                        2, 7, new UUID(2, 2), List.of(), new TreeMap<>(), null, List.of(), false, false)));
        long session = settings.brokerTimes().sessionTimeoutMs();
        runner.activate(1, 2, metadata);
        loop.elapse(session - 1);
        runner.deactivate();
        runner.activate(2, 2, metadata);
        loop.elapse(session);
        assertThat(expired).containsExactly(2 * session - 1);
    }

    @Test
    void whereTheQuorumDoesNotTakeABatchThisNodeIsTheControllerNoLonger() throws IOException {
        List<String> steps = new ArrayList<>();
        StepListener listener = new StepListener() {
            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                steps.add(input.getClass().getSimpleName());
            }
        };
        ControllerRunner runner = notLeading(new ManualLoop(), listener);
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        runner.activate(1, 1, metadata);

        List<ControllerResponse> answers = new ArrayList<>();
        ControllerRequest registration = new ControllerRequest.RegisterBroker(
                1,
                TestSettings.CLUSTER,
                settings.incarnation(),
                List.of(),
                new TreeMap<>(Map.of("metadata.version", new BrokerRegistration.FeatureRange((short) 0, (short) 99))),
                null,
                List.of(settings.directoryId()),
                -1);
        runner.handle(registration, answers::add);
        assertThat(steps).first().isEqualTo("Activate");
        assertThat(steps).last().isEqualTo("Deactivate");
        int untilThen = steps.size();
        runner.handle(registration, answers::add);
        runner.deactivate();
        assertThat(steps).as("it decides nothing any more").hasSize(untilThen);
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                ControllerResponse.Refused.class,
                                refused -> assertThat(refused.error()).isEqualTo(ErrorCode.NOT_CONTROLLER)));
    }
}
