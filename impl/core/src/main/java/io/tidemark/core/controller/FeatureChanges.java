package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.UpdateFeatures.FeatureUpdate;
import io.tidemark.core.controller.ControllerResponse.UpdatedFeatures.FeatureResult;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.metadata.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Finalized feature levels (KIP-584, 1022), and blocks of producer ids. */
final class FeatureChanges {
    /** Producer ids in a block, as in Kafka. */
    static final int PRODUCER_ID_BLOCK = 1_000;

    /** Its level is a control record of the quorum's, not metadata. */
    static final String KRAFT_VERSION = "kraft.version";

    private static final FeatureRange UNSUPPORTED = new FeatureRange((short) 0, (short) 0);

    private final ControllerState state;

    FeatureChanges(ControllerState state) {
        this.state = state;
    }

    /** All updates or none: the first that can not be had refuses the request. */
    Step<ControllerEffect> handleUpdateFeatures(ControllerInput.HandleUpdateFeatures input) {
        ControllerRequest.UpdateFeatures request = input.request();
        List<MetadataRecord> records = new ArrayList<>();
        List<FeatureResult> results = new ArrayList<>();
        for (FeatureUpdate update : request.updates()) {
            String problem = problem(update);
            if (problem != null) {
                return state.refuse(
                        input.token(),
                        ErrorCode.INVALID_UPDATE_VERSION,
                        "Invalid update version " + update.level() + " for feature " + update.name() + ": " + problem);
            }
            records.addAll(records(update));
            results.add(new FeatureResult(update.name(), ErrorCode.NONE, null));
        }
        if (!Duplicates.of(request.updates().stream().map(FeatureUpdate::name)).isEmpty()) {
            return state.refuse(input.token(), ErrorCode.INVALID_REQUEST, "a feature is named more than once");
        }
        return state.decide(
                null,
                request.validateOnly() ? List.of() : records,
                input.token(),
                new ControllerResponse.UpdatedFeatures(results));
    }

    private @Nullable String problem(FeatureUpdate update) {
        short present = state.metadata.features().getOrDefault(update.name(), (short) 0);
        if (update.level() < 0) {
            return "a level is at least 0";
        }
        if (update.name().equals(KRAFT_VERSION)) {
            return "it is the quorum's and not changed through the metadata";
        }
        String unsupported = unsupported(update);
        if (unsupported != null) {
            return unsupported;
        }
        boolean metadataVersion = update.name().equals(Registrations.METADATA_VERSION);
        if (update.level() < present) {
            if (metadataVersion) {
                return "the downgrade from " + present + " might lose metadata";
            }
            if (!update.allowDowngrade()) {
                return "the level is " + present + " and a downgrade was not asked for";
            }
            return update.name().equals(MetadataState.ELR_FEATURE) ? emptyIsr() : null;
        }
        return update.allowDowngrade() && update.level() > present ? "a downgrade can't raise the level" : null;
    }

    private @Nullable String unsupported(FeatureUpdate update) {
        String reason = unsupported("this controller", state.config.supportedFeatures(), update);
        for (BrokerRegistration broker : state.metadata.brokers().values()) {
            reason = reason != null ? reason : unsupported("broker " + broker.id(), broker.features(), update);
        }
        for (MetadataRecord.RegisterController controller :
                state.metadata.controllers().values()) {
            boolean self = controller.controllerId() == state.config.nodeId();
            reason = reason != null || self
                    ? reason
                    : unsupported("controller " + controller.controllerId(), controller.features(), update);
        }
        return reason;
    }

    private static @Nullable String unsupported(
            String who, SortedMap<String, FeatureRange> features, FeatureUpdate update) {
        FeatureRange range = features.getOrDefault(update.name(), UNSUPPORTED);
        boolean off = update.level() == 0 && !update.name().equals(Registrations.METADATA_VERSION);
        return off || (range.min() <= update.level() && update.level() <= range.max())
                ? null
                : who + " supports levels " + range.min() + " to " + range.max();
    }

    /** Without ELR, a partition whose ISR is empty could never have a leader again but by an unclean election. */
    private @Nullable String emptyIsr() {
        for (TopicPartition id : state.metadata.ledBy(PartitionRegistration.NO_LEADER)) {
            PartitionRegistration partition = state.metadata.partition(id);
            if (partition != null && partition.isr().isEmpty()) {
                return "the ISR of partition " + id.topicId() + "-" + id.partition() + " is empty";
            }
        }
        return null;
    }

    private List<MetadataRecord> records(FeatureUpdate update) {
        List<MetadataRecord> records = new ArrayList<>();
        short present = state.metadata.features().getOrDefault(update.name(), (short) 0);
        boolean elr = update.name().equals(MetadataState.ELR_FEATURE);
        if (elr && update.level() > 0 && present == 0) {
            records.addAll(minIsrForElr(state.metadata));
        }
        records.add(new MetadataRecord.FeatureLevel(update.name(), update.level()));
        if (elr && update.level() == 0) {
            records.add(new MetadataRecord.ClearElr(""));
        }
        return records;
    }

    /** With ELR every node must take the same {@code min.insync.replicas}: the cluster has one, single brokers none. */
    static List<MetadataRecord> minIsrForElr(MetadataView metadata) {
        String key = TopicConfigs.MIN_INSYNC_REPLICAS;
        List<MetadataRecord> records = new ArrayList<>();
        if (!metadata.configs(Config.BROKER, "").containsKey(key)) {
            String value = metadata.staticConfig().get(key);
            records.add(new Config(Config.BROKER, "", key, value == null ? "1" : value));
        }
        for (int broker : metadata.brokers().keySet()) {
            if (metadata.configs(Config.BROKER, String.valueOf(broker)).containsKey(key)) {
                records.add(new Config(Config.BROKER, String.valueOf(broker), key, null));
            }
        }
        return records;
    }

    Step<ControllerEffect> handleAllocateProducerIds(ControllerInput.HandleAllocateProducerIds input) {
        ControllerRequest.AllocateProducerIds request = input.request();
        String stale = state.staleEpoch(request.brokerId(), request.brokerEpoch());
        if (stale != null) {
            return state.refuse(input.token(), ErrorCode.STALE_BROKER_EPOCH, stale);
        }
        long first = state.metadata.nextProducerId();
        if (first > Long.MAX_VALUE - PRODUCER_ID_BLOCK) {
            return state.refuse(input.token(), ErrorCode.UNKNOWN_SERVER_ERROR, "every producer id is handed out");
        }
        MetadataRecord record =
                new MetadataRecord.ProducerIds(request.brokerId(), request.brokerEpoch(), first + PRODUCER_ID_BLOCK);
        return state.decide(
                null, List.of(record), input.token(), new ControllerResponse.ProducerIdBlock(first, PRODUCER_ID_BLOCK));
    }
}
