package io.tidemark.conformance.partition;

import io.tidemark.core.broker.BrokerState;

/**
 * What a broker shows after its inputs.
 *
 * @param brokerEpoch -1 before it is registered
 */
record BrokerStep(BrokerState state, long brokerEpoch) {}
