package io.tidemark.core.partition;

import io.tidemark.core.Step;

/**
 * The actions of the spec's module Partition, one method each, and those that {@code spec/actions.tsv} calls code-only; the
 * compiler demands all of them.
 */
public interface PartitionActions {
    Step<PartitionEffect> handleProduce(PartitionInput.HandleProduce input);

    Step<PartitionEffect> ackTimeout(PartitionInput.AckTimeout input);

    Step<PartitionEffect> persistLog(PartitionInput.PersistLog input);

    Step<PartitionEffect> handleFetch(PartitionInput.HandleFetch input);

    Step<PartitionEffect> followerRead(PartitionInput.FollowerRead input);

    Step<PartitionEffect> consumerRead(PartitionInput.ConsumerRead input);

    Step<PartitionEffect> handleFetchResponse(PartitionInput.HandleFetchResponse input);

    Step<PartitionEffect> proposeExpandIsr(PartitionInput.ProposeExpandIsr input);

    Step<PartitionEffect> replicaLagTimeout(PartitionInput.ReplicaLagTimeout input);

    Step<PartitionEffect> handleAlterPartitionResponse(PartitionInput.HandleAlterPartitionResponse input);

    Step<PartitionEffect> applyPartitionChange(PartitionInput.ApplyPartitionChange input);

    Step<PartitionEffect> applyBrokerChange(PartitionInput.ApplyBrokerChange input);

    Step<PartitionEffect> applyMinIsrChange(PartitionInput.ApplyMinIsrChange input);

    Step<PartitionEffect> applyFlushChange(PartitionInput.ApplyFlushChange input);

    Step<PartitionEffect> expireProducers(PartitionInput.ExpireProducers input);

    Step<PartitionEffect> reloadProducers(PartitionInput.ReloadProducers input);
}
