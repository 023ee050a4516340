package io.tidemark.node.net;

import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.port.WallClock;
import io.tidemark.wire.NodeFacts;
import io.tidemark.wire.batch.ProduceRules;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What network threads must know of the metadata. The data loop keeps it with each batch that it applies, so that a topic
 * which this broker tells of is known here as well.
 */
final class Facts {
    private record Known(String name, ProduceRules rules) {}

    private final WallClock clock;
    private final Map<String, Known> byName = new ConcurrentHashMap<>();
    private final Map<UUID, Known> byId = new ConcurrentHashMap<>();
    private final Map<Integer, BrokerRegistration> brokers = new ConcurrentHashMap<>();

    Facts(WallClock clock) {
        this.clock = clock;
    }

    /**
     * Takes over what the records that took effect in the view have changed. From one thread. Topics, their configs and the
     * endpoints of brokers are all that is kept here; other kinds of records are passed over on purpose.
     */
    void applied(List<MetadataState.Applied> applied, MetadataView view) {
        for (MetadataState.Applied each : applied) {
            MetadataRecord record = each.record();
            if (record instanceof MetadataRecord.Topic topic) {
                keep(view.topic(topic.topicId()), view);
            } else if (record instanceof MetadataRecord.RemoveTopic topic) {
                Known gone = byId.remove(topic.topicId());
                if (gone != null) {
                    byName.remove(gone.name(), gone); // but not a later topic of the same name
                }
            } else if (record instanceof MetadataRecord.Config config
                    && config.resourceType() == MetadataRecord.Config.TOPIC) {
                keep(view.topic(config.resourceName()), view);
            } else if (record instanceof MetadataRecord.Config) {
                view.topics().values().forEach(topic -> keep(topic, view));
            } else if (record instanceof MetadataRecord.RegisterBroker broker) {
                brokers.put(broker.registration().id(), broker.registration());
            } else if (record instanceof MetadataRecord.UnregisterBroker broker) {
                brokers.remove(broker.brokerId());
            }
        }
    }

    private void keep(@Nullable TopicState topic, MetadataView view) {
        if (topic != null) {
            Known known = new Known(topic.name(), rules(view, topic.name()));
            byName.put(topic.name(), known);
            byId.put(topic.id(), known);
        }
    }

    private static ProduceRules rules(MetadataView view, String topic) {
        return new ProduceRules(
                Integer.parseInt(view.topicConfig(topic, TopicConfigs.MAX_MESSAGE_BYTES)),
                Long.parseLong(view.topicConfig(topic, TopicConfigs.TIMESTAMP_BEFORE_MAX_MS)),
                Long.parseLong(view.topicConfig(topic, TopicConfigs.TIMESTAMP_AFTER_MAX_MS)),
                view.topicConfig(topic, TopicConfigs.TIMESTAMP_TYPE).equals("LogAppendTime"),
                view.topicConfig(topic, TopicConfigs.CLEANUP_POLICY).contains("compact"));
    }

    /** The facts as clients of one listener are told them. */
    NodeFacts of(String listener) {
        return new NodeFacts() {
            @Override
            public @Nullable ProduceRules produceRules(PartitionRef partition) {
                Known known = partition.topic() != null ? byName.get(partition.topic()) : byId.get(partition.topicId());
                return known == null ? null : known.rules();
            }

            @Override
            public @Nullable Endpoint broker(int id) {
                BrokerRegistration broker = brokers.get(id);
                return broker == null
                        ? null
                        : broker.endpoints().stream()
                                .filter(endpoint -> endpoint.listener().equals(listener))
                                .findFirst()
                                .orElse(null);
            }

            @Override
            public long nowMs() {
                return clock.nowMs();
            }
        };
    }
}
