package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What the controller's handlers share: its state, and the ways to append and to answer. */
final class ControllerState implements ControllerView {
    /** Records in one batch; a larger decision is a metadata transaction over several (KIP-868). */
    static final int MAX_BATCH_RECORDS = 10_000;

    final ControllerConfig config;
    final MetadataState metadata;
    final BrokerSessions sessions = new BrokerSessions();
    boolean active;
    int epoch = -1;
    long nextOffset;
    long metaHw;

    ControllerState(ControllerConfig config, MetadataState metadata) {
        this.config = config;
        this.metadata = metadata;
        this.nextOffset = metadata.appliedOffset() + 1;
        this.metaHw = nextOffset;
    }

    boolean on(Guard guard) {
        return config.guards().on(guard);
    }

    /** Why a request with this broker epoch is refused; null for the current one. */
    @Nullable
    String staleEpoch(int broker, long brokerEpoch) {
        BrokerRegistration registration = metadata.broker(broker);
        if (registration == null) {
            return "broker " + broker + " is not registered";
        }
        return registration.epoch() == brokerEpoch
                ? null
                : "broker " + broker + " has epoch " + registration.epoch() + ", not " + brokerEpoch;
    }

    /** A change of a partition that exists, under its topic's configs. */
    PartitionChanges change(TopicPartition id) {
        return change(id, metadata::active);
    }

    PartitionChanges change(TopicPartition id, IntPredicate activeBroker) {
        PartitionRegistration partition = metadata.partition(id);
        TopicState topic = metadata.topic(id.topicId());
        if (partition == null || topic == null) {
            throw new IllegalArgumentException("no partition " + id);
        }
        int minIsr = metadata.effectiveMinIsr(topic.name());
        PartitionChanges changes =
                new PartitionChanges(id, partition, minIsr, metadata.elrEnabled(), activeBroker, config.guards());
        return metadata.uncleanElection(topic.name()) ? changes.mode(ElectionRule.Mode.UNCLEAN) : changes;
    }

    /** Where record {@code index} of a decision of {@code count} records will lie in the log. */
    long offsetOf(int index, int count) {
        return nextOffset + index + (count > MAX_BATCH_RECORDS ? 1 : 0);
    }

    /** Appends a decision as one atomic whole and folds it. */
    void append(List<MetadataRecord> decision, List<ControllerEffect> effects) {
        if (decision.isEmpty()) {
            return;
        }
        List<MetadataRecord> records = decision;
        if (decision.size() > MAX_BATCH_RECORDS) {
            records = new ArrayList<>(decision.size() + 2);
            records.add(new MetadataRecord.BeginTransaction(null));
            records.addAll(decision);
            records.add(new MetadataRecord.EndTransaction());
        }
        for (int from = 0; from < records.size(); from += MAX_BATCH_RECORDS) {
            List<MetadataRecord> batch = records.subList(from, Math.min(records.size(), from + MAX_BATCH_RECORDS));
            effects.add(new ControllerEffect.Append(epoch, nextOffset, batch));
            for (MetadataRecord record : batch) {
                metadata.apply(nextOffset++, record);
            }
        }
    }

    /** An answer that may depend on anything decided so far, so that it leaves only when that is committed. */
    ControllerEffect.Reply reply(ReplyToken token, ControllerResponse response) {
        Requires requires =
                on(Guard.CONTROLLER_COMMITTED_ANSWERS) ? new Requires.Committed(nextOffset) : Requires.NOTHING;
        return new ControllerEffect.Reply(token, response, requires);
    }

    /** A whole request is refused: nothing changed. */
    Step<ControllerEffect> refuse(ReplyToken token, ErrorCode error, @Nullable String message) {
        return Step.stutter(List.of(reply(token, new ControllerResponse.Refused(error, message))));
    }

    /** Append, then answer. The action is taken where something was appended. */
    Step<ControllerEffect> decide(
            @Nullable SpecAction action, List<MetadataRecord> records, ReplyToken token, ControllerResponse response) {
        return decide(action, records, List.of(), token, response);
    }

    /** As above, with effects between the two. */
    Step<ControllerEffect> decide(
            @Nullable SpecAction action,
            List<MetadataRecord> records,
            List<ControllerEffect> between,
            ReplyToken token,
            ControllerResponse response) {
        List<ControllerEffect> effects = new ArrayList<>();
        append(records, effects);
        effects.addAll(between);
        effects.add(reply(token, response));
        return new Step<>(records.isEmpty() ? null : action, effects);
    }

    @Override
    public long metaLogEnd() {
        return nextOffset;
    }

    @Override
    public long metaHw() {
        return metaHw;
    }

    @Override
    public boolean active() {
        return active;
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public MetadataState metadata() {
        return metadata;
    }
}
