package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.log.LogState;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.QuorumConfig;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.Ports;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.Turn;
import io.tidemark.storage.LogConfig;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.ReplicaLog;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ControllerRunnerTest {
    @Test
    void leaderlessPartitionsAreLookedForAsOftenAsConfigured() {
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
        NodeSettings settings = TestSettings.node();
        ControllerRunner runner = new ControllerRunner(
                settings,
                TestPorts.of(loop, new ManualNetwork(), Runnable::run, new MemoryDisk(), listener),
                new Turn());
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

    @Test
    void whereTheQuorumDoesNotTakeABatchThisNodeIsTheControllerNoLonger() throws IOException {
        ManualLoop loop = new ManualLoop();
        MemoryDisk disk = new MemoryDisk();
        NodeSettings settings = TestSettings.node();
        Path dir = settings.logDir().resolve("__cluster_metadata-0");
        disk.createDirectories(dir);
        Ports ports = TestPorts.of(loop, new ManualNetwork(), Runnable::run, disk, StepListener.NONE);
        MetadataLog log = new MetadataLog(
                ports, ReplicaLog.open(disk, dir, LogConfig.DEFAULT, true, 0, 0).log(), new QuorumStateFile(disk, dir));
        QuorumCore notLeading = new QuorumCore(
                new QuorumConfig(
                        TestSettings.CLUSTER,
                        new ReplicaKey(1, settings.directoryId()),
                        settings.controllerEndpoints(),
                        true,
                        settings.staticVoters(),
                        Guards.ALL),
                QuorumStateData.INITIAL,
                LogState.empty(),
                log.voterHistory());
        Turn turn = new Turn();
        ControllerRunner runner = new ControllerRunner(settings, ports, turn);
        runner.attach(new QuorumRunner(settings, ports, turn, log, notLeading, new QuorumRunner.Listener() {
            @Override
            public void committed(long hw) {}

            @Override
            public void roleChanged(QuorumEffect.RoleChanged change) {}

            @Override
            public void leaderReady(int epoch, long nextOffset) {}
        }));
        MetadataState metadata = new MetadataState(1, new TreeMap<>());
        metadata.apply(0, new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        runner.activate(1, 1, metadata);
        assertThat(runner.active()).isTrue();

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
        assertThat(runner.active()).isFalse();
        runner.handle(registration, answers::add);
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                ControllerResponse.Refused.class,
                                refused -> assertThat(refused.error()).isEqualTo(ErrorCode.NOT_CONTROLLER)));
    }
}
