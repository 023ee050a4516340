package io.tidemark.node.net;

import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.NodeApi;
import io.tidemark.runtime.port.WallClock;
import io.tidemark.wire.NodeFacts;
import io.tidemark.wire.ProduceRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What network threads must know of the metadata: a copy, taken anew soon after a change. Topics without configs of their
 * own share the node's rules.
 */
final class Facts {
    private record Copy(
            long offset,
            ProduceRules rules,
            Map<String, ProduceRules> byName,
            Map<UUID, ProduceRules> byId,
            Map<Integer, BrokerRegistration> brokers) {}

    private final NodeApi api;
    private final WallClock clock;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Copy copy = new Copy(Long.MIN_VALUE, ProduceRules.DEFAULT, Map.of(), Map.of(), Map.of());

    Facts(NodeApi api, WallClock clock) {
        this.api = api;
        this.clock = clock;
    }

    /** Asks for a new copy if the metadata has changed; from any thread. */
    void refresh() {
        long known = copy.offset;
        if (asking.compareAndSet(false, true)) {
            boolean accepted = api.metadata(
                    view -> view.appliedOffset() == known ? Optional.<Copy>empty() : Optional.of(take(view)),
                    answer -> {
                        answer.ifPresent(fresh -> copy = fresh);
                        asking.set(false);
                    });
            if (!accepted) {
                asking.set(false);
            }
        }
    }

    private static Copy take(MetadataView view) {
        Map<String, ProduceRules> byName = new HashMap<>();
        Map<UUID, ProduceRules> byId = new HashMap<>();
        for (TopicState topic : view.topics().values()) {
            if (!view.configs(MetadataRecord.Config.TOPIC, topic.name()).isEmpty()) {
                ProduceRules rules = rules(view, topic.name());
                byName.put(topic.name(), rules);
                byId.put(topic.id(), rules);
            }
        }
        // No topic has an empty name, so these are the node's own.
        return new Copy(view.appliedOffset(), rules(view, ""), byName, byId, new HashMap<>(view.brokers()));
    }

    private static ProduceRules rules(MetadataView view, String topic) {
        return new ProduceRules(
                Integer.parseInt(view.topicConfig(topic, "max.message.bytes").trim()),
                Long.parseLong(view.topicConfig(topic, "message.timestamp.before.max.ms")
                        .trim()),
                Long.parseLong(view.topicConfig(topic, "message.timestamp.after.max.ms")
                        .trim()),
                view.topicConfig(topic, "message.timestamp.type").trim().equals("LogAppendTime"),
                view.topicConfig(topic, "cleanup.policy").contains("compact"));
    }

    /** The facts as clients of one listener are told them. */
    NodeFacts of(String listener) {
        return new NodeFacts() {
            @Override
            public ProduceRules produceRules(PartitionRef partition) {
                Copy now = copy;
                ProduceRules own = partition.topic() != null
                        ? now.byName.get(partition.topic())
                        : now.byId.get(partition.topicId());
                return own == null ? now.rules : own;
            }

            @Override
            public @Nullable Endpoint broker(int id) {
                BrokerRegistration broker = copy.brokers.get(id);
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
