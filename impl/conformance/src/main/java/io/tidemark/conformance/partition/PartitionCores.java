package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.core.Guards;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.partition.PartitionInput;
import java.util.List;

/** The cores of a partition's world: a replica and a broker's life on each broker that is up, and the active controller. */
interface PartitionCores {
    Guards guards();

    /** Hands an input to the replica on a broker that is registered. */
    ReplicaStep replica(State state, String broker, PartitionInput input);

    /** The replica as it stands, without a step. */
    ReplicaStep standing(State state, String broker);

    /** @param unclean whether unclean elections are enabled at that moment */
    ControllerStep controller(State state, boolean unclean, ControllerInput input);

    /** The controller as it stands: the image as the last entry of the metadata log has it, and the high watermark. */
    ControllerStep controllerStands(State state, boolean unclean);

    /** Hands inputs to a broker that is up, one after the other. */
    BrokerStep broker(State state, String broker, List<BrokerInput> inputs);

    /** Its process is gone. */
    default void gone(String broker) {}

    /** The controller is another one: it starts from the metadata log of the next state in which it is asked for. */
    default void deposed() {}
}
