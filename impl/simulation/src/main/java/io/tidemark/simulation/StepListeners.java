package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerEffect;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.runtime.StepListener;
import java.util.List;

/** Several listeners of one node, in order. */
final class StepListeners implements StepListener {
    private final StepListener[] all;

    StepListeners(List<StepListener> all) {
        this.all = all.toArray(new StepListener[0]);
    }

    @Override
    public void quorumStarts(QuorumCore core) {
        for (StepListener each : all) {
            each.quorumStarts(core);
        }
    }

    @Override
    public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
        for (StepListener each : all) {
            each.quorum(core, input, step);
        }
    }

    @Override
    public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
        for (StepListener each : all) {
            each.controller(core, input, step);
        }
    }

    @Override
    public void broker(BrokerInput input, Step<BrokerEffect> step) {
        for (StepListener each : all) {
            each.broker(input, step);
        }
    }

    @Override
    public void partition(
            TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
        for (StepListener each : all) {
            each.partition(partition, core, input, step);
        }
    }
}
