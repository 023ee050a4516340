package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.AlterPartition.PartitionItem;
import io.tidemark.core.controller.ControllerResponse.AlteredPartitions.PartitionAnswer;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.AlterPartitionAnswer;
import io.tidemark.core.partition.AlterPartitionAsked;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** AlterPartition: a leader changes its ISR (KIP-497, 841, 903, 966). */
final class IsrChanges {
    private final ControllerState state;

    IsrChanges(ControllerState state) {
        this.state = state;
    }

    Step<ControllerEffect> handleAlterPartition(ControllerInput.HandleAlterPartition input) {
        ControllerRequest.AlterPartition request = input.request();
        String stale = state.staleEpoch(request.brokerId(), request.brokerEpoch());
        if (stale != null && state.on(Guard.AP_SENDER_EPOCH)) {
            return state.refuse(input.token(), ErrorCode.STALE_BROKER_EPOCH, stale);
        }
        List<MetadataRecord> records = new ArrayList<>();
        List<PartitionAnswer> answers = new ArrayList<>();
        TreeSet<TopicPartition> seen = new TreeSet<>();
        for (PartitionItem item : request.partitions()) {
            TopicPartition id = new TopicPartition(item.topicId(), item.partition());
            AlterPartitionAnswer answer = seen.add(id)
                    ? alter(request.brokerId(), id, item.asked(), records)
                    : AlterPartitionAnswer.failed(ErrorCode.INVALID_REQUEST);
            answers.add(new PartitionAnswer(item.topicId(), item.partition(), answer));
        }
        return state.decide(
                SpecAction.HandleAlterPartition,
                records,
                input.token(),
                new ControllerResponse.AlteredPartitions(answers));
    }

    private AlterPartitionAnswer alter(
            int sender, TopicPartition id, AlterPartitionAsked asked, List<MetadataRecord> records) {
        if (state.metadata.topic(id.topicId()) == null) {
            return AlterPartitionAnswer.failed(ErrorCode.UNKNOWN_TOPIC_ID);
        }
        PartitionRegistration partition = state.metadata.partition(id);
        if (partition == null) {
            return AlterPartitionAnswer.failed(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        }
        ErrorCode error = refusal(sender, partition, asked);
        if (error != ErrorCode.NONE) {
            return AlterPartitionAnswer.failed(error);
        }
        MetadataRecord.PartitionChange change =
                state.change(id).isr(members(asked)).recovery(asked.recovery()).build();
        PartitionRegistration after = partition;
        if (change != null) {
            records.add(change);
            after = partition.merge(change);
        }
        // Kafka's NEW_LEADER_ELECTED does not occur: the sender leads, is active and a member, and so is elected.
        return new AlterPartitionAnswer(
                ErrorCode.NONE,
                after.leader(),
                after.leaderEpoch(),
                after.partitionEpoch(),
                after.isr(),
                after.recovery());
    }

    /** In Kafka's order; each guard has its own error. */
    private ErrorCode refusal(int sender, PartitionRegistration partition, AlterPartitionAsked asked) {
        int leaderEpochs = Integer.compare(asked.leaderEpoch(), partition.leaderEpoch());
        if (leaderEpochs != 0 && state.on(Guard.AP_LEADER_EPOCH)) {
            // A leader that knows more than this controller has heard of a newer one.
            return leaderEpochs > 0 ? ErrorCode.NOT_CONTROLLER : ErrorCode.FENCED_LEADER_EPOCH;
        }
        if (sender != partition.leader()) {
            return ErrorCode.INVALID_REQUEST;
        }
        int partitionEpochs = Integer.compare(asked.partitionEpoch(), partition.partitionEpoch());
        if (partitionEpochs != 0 && state.on(Guard.AP_PARTITION_EPOCH)) {
            return partitionEpochs > 0 ? ErrorCode.NOT_CONTROLLER : ErrorCode.INVALID_UPDATE_VERSION;
        }
        List<Integer> isr = members(asked);
        boolean wellFormed = partition.replicas().containsAll(isr)
                && new TreeSet<>(isr).size() == isr.size()
                && isr.contains(partition.leader());
        if (!wellFormed) {
            return ErrorCode.INVALID_REQUEST;
        }
        boolean recovering = asked.recovery() == LeaderRecovery.RECOVERING;
        boolean joinsRecovering = recovering && isr.size() > 1;
        boolean startsRecovering = recovering && partition.recovery() == LeaderRecovery.RECOVERED;
        if ((joinsRecovering || startsRecovering) && state.on(Guard.AP_RECOVERING)) {
            return ErrorCode.INVALID_REQUEST;
        }
        return eligible(asked) ? ErrorCode.NONE : ErrorCode.INELIGIBLE_REPLICA;
    }

    private boolean eligible(AlterPartitionAsked asked) {
        for (AlterPartitionAsked.Member member : asked.newIsr()) {
            BrokerRegistration registration = state.metadata.broker(member.brokerId());
            boolean active = registration != null && registration.active();
            if (!active && state.on(Guard.AP_FENCED_MEMBERS)) {
                return false;
            }
            boolean sameEpoch = registration != null && registration.epoch() == member.brokerEpoch();
            if (member.brokerEpoch() >= 0 && !sameEpoch && state.on(Guard.AP_BROKER_EPOCHS)) {
                return false;
            }
        }
        return true;
    }

    private static List<Integer> members(AlterPartitionAsked asked) {
        return asked.newIsr().stream().map(AlterPartitionAsked.Member::brokerId).toList();
    }
}
