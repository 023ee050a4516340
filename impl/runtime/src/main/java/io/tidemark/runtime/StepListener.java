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

    /** The replica of the quorum is about to take its first step, with what it has restored from its disk. */
    default void quorumStarts(QuorumCore core) {}

    default void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {}

    default void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {}

    default void broker(BrokerInput input, Step<BrokerEffect> step) {}

    default void partition(
            TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {}
}
