package io.tidemark.runtime;

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

/**
 * Sees every step of the cores right after it was taken and before its effects are carried out: traces and invariants
 * hang here. Called on the loop that took the step.
 */
public interface StepListener {
    /** Nobody listens. */
    StepListener NONE = new StepListener() {};

    default void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {}

    default void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {}

    default void broker(BrokerInput input, Step<BrokerEffect> step) {}

    default void partition(
            TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {}

    /** Both listen, {@code first} first. */
    static StepListener both(StepListener first, StepListener second) {
        return new StepListener() {
            @Override
            public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
                first.quorum(core, input, step);
                second.quorum(core, input, step);
            }

            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                first.controller(core, input, step);
                second.controller(core, input, step);
            }

            @Override
            public void broker(BrokerInput input, Step<BrokerEffect> step) {
                first.broker(input, step);
                second.broker(input, step);
            }

            @Override
            public void partition(
                    TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
                first.partition(partition, core, input, step);
                second.partition(partition, core, input, step);
            }
        };
    }
}
