package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.StepListener;
import io.tidemark.runtime.TestPorts;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.Turn;
import io.tidemark.storage.memory.MemoryDisk;
import java.util.ArrayList;
import java.util.List;
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
}
