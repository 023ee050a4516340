package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.TopicAndPartition;
import io.tidemark.core.controller.ControllerResponse.ElectedLeaders.ElectionResult;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Elections that are asked for, and those that a timer makes (KIP-460, KAFKA-12670). */
final class LeaderChanges {
    /** Elections of one timer input; more follow in the next. */
    static final int MAX_ELECTIONS = 1_000;

    private final ControllerState state;

    LeaderChanges(ControllerState state) {
        this.state = state;
    }

    Step<ControllerEffect> handleElectLeaders(ControllerInput.HandleElectLeaders input) {
        ControllerRequest.ElectLeaders request = input.request();
        List<TopicAndPartition> asked = request.partitions();
        List<MetadataRecord> records = new ArrayList<>();
        List<ElectionResult> results = new ArrayList<>();
        TreeSet<TopicPartition> elected = new TreeSet<>();
        for (TopicAndPartition partition : asked == null ? every() : asked) {
            ElectionResult result = elect(request.unclean(), partition, elected, records);
            // Asked for all, those that need nothing are not named.
            if (asked != null || result.error() != ErrorCode.ELECTION_NOT_NEEDED) {
                results.add(result);
            }
        }
        return state.decide(
                SpecAction.HandleElectLeaders, records, input.token(), new ControllerResponse.ElectedLeaders(results));
    }

    private List<TopicAndPartition> every() {
        List<TopicAndPartition> all = new ArrayList<>();
        for (TopicState topic : state.metadata.topics().values()) {
            topic.partitions().keySet().forEach(partition -> all.add(new TopicAndPartition(topic.name(), partition)));
        }
        return all;
    }

    private ElectionResult elect(
            boolean unclean, TopicAndPartition asked, Set<TopicPartition> elected, List<MetadataRecord> records) {
        TopicState topic = state.metadata.topic(asked.topic());
        PartitionRegistration partition =
                topic == null ? null : topic.partitions().get(asked.partition());
        if (topic == null || partition == null) {
            return result(
                    asked,
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "there is no partition " + asked.topic() + "-" + asked.partition());
        }
        TopicPartition id = new TopicPartition(topic.id(), asked.partition());
        boolean notNeeded = unclean ? partition.hasLeader() : partition.hasPreferredLeader();
        if (notNeeded || elected.contains(id)) {
            return result(asked, ErrorCode.ELECTION_NOT_NEEDED, null);
        }
        MetadataRecord change = state.change(id)
                .mode(unclean ? ElectionRule.Mode.UNCLEAN : ElectionRule.Mode.PREFERRED)
                .build();
        if (change == null) {
            return unclean
                    ? result(asked, ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, "no replica is active")
                    : result(
                            asked,
                            ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
                            "broker " + partition.replicas().get(0) + " is not in sync and active");
        }
        records.add(change);
        elected.add(id);
        return result(asked, ErrorCode.NONE, null);
    }

    private static ElectionResult result(TopicAndPartition asked, ErrorCode error, @Nullable String message) {
        return new ElectionResult(asked.topic(), asked.partition(), error, message);
    }

    /** Leadership goes back to the first of the assignment where that is valid. */
    Step<ControllerEffect> preferredLeaderTimeout() {
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicState topic : state.metadata.topics().values()) {
            for (var entry : topic.partitions().entrySet()) {
                if (records.size() < MAX_ELECTIONS && !entry.getValue().hasPreferredLeader()) {
                    MetadataRecord change = state.change(new TopicPartition(topic.id(), entry.getKey()))
                            .mode(ElectionRule.Mode.PREFERRED)
                            .build();
                    if (change != null) {
                        records.add(change);
                    }
                }
            }
        }
        return byTimer(SpecAction.PreferredLeaderTimeout, records, new ControllerInput.PreferredLeaderTimeout());
    }

    /** Leaderless partitions of topics with {@code unclean.leader.election.enable}. */
    Step<ControllerEffect> uncleanElectionTimeout() {
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicPartition id : state.metadata.ledBy(PartitionRegistration.NO_LEADER)) {
            TopicState topic = state.metadata.topic(id.topicId());
            if (records.size() < MAX_ELECTIONS && topic != null && state.metadata.uncleanElection(topic.name())) {
                MetadataRecord change =
                        state.change(id).mode(ElectionRule.Mode.UNCLEAN).build();
                if (change != null) {
                    records.add(change);
                }
            }
        }
        return byTimer(SpecAction.UncleanElectionTimeout, records, new ControllerInput.UncleanElectionTimeout());
    }

    private Step<ControllerEffect> byTimer(SpecAction action, List<MetadataRecord> records, ControllerInput again) {
        List<ControllerEffect> effects = new ArrayList<>();
        state.append(records, effects);
        if (records.size() >= MAX_ELECTIONS) {
            effects.add(new ControllerEffect.Self(again));
        }
        return new Step<>(records.isEmpty() ? null : action, effects);
    }
}
