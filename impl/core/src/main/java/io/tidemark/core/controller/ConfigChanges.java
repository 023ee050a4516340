package io.tidemark.core.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.Assignments.Refusal;
import io.tidemark.core.controller.ControllerRequest.ConfigChange;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerResponse.AlteredConfigs.ConfigResult;
import io.tidemark.core.metadata.ConfigResource;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.TopicConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Config changes (KIP-339), each resource judged by itself. With ELR on (KIP-966), {@code min.insync.replicas} is the
 * cluster's or a topic's, and a change of it clears the eligible leader replicas that were counted under the old value.
 */
final class ConfigChanges {
    /** As in Kafka. */
    private static final int MAX_VALUE_BYTES = Short.MAX_VALUE;

    private final ControllerState state;

    ConfigChanges(ControllerState state) {
        this.state = state;
    }

    /** @param action null where {@code min.insync.replicas} is not touched: no variable of the spec changes */
    Step<ControllerEffect> handle(
            @Nullable SpecAction action, ControllerRequest.AlterConfigs request, io.tidemark.core.ReplyToken token) {
        List<MetadataRecord> records = new ArrayList<>();
        List<ConfigResult> results = new ArrayList<>();
        Set<ConfigResource> repeated = Duplicates.of(request.changes().stream().map(ConfigChanges::resource));
        for (ConfigChange change : request.changes()) {
            try {
                if (repeated.contains(resource(change))) {
                    throw new Refusal(ErrorCode.INVALID_REQUEST, "a resource is named more than once");
                }
                records.addAll(alter(change));
                results.add(result(change, ErrorCode.NONE, null));
            } catch (Refusal refusal) {
                results.add(result(change, refusal.error, refusal.reason));
            }
        }
        if (state.metadata.elrEnabled()) {
            records.addAll(clearedElr(records));
        }
        return state.decide(
                action,
                request.validateOnly() ? List.of() : records,
                token,
                new ControllerResponse.AlteredConfigs(results));
    }

    private static ConfigResource resource(ConfigChange change) {
        return new ConfigResource(change.resourceType(), change.resourceName());
    }

    private static ConfigResult result(ConfigChange change, ErrorCode error, @Nullable String message) {
        return new ConfigResult(change.resourceType(), change.resourceName(), error, message);
    }

    private static List<MetadataRecord> clearedElr(List<MetadataRecord> records) {
        List<MetadataRecord> cleared = new ArrayList<>();
        for (MetadataRecord record : records) {
            if (record instanceof Config config && config.key().equals(TopicConfigs.MIN_INSYNC_REPLICAS)) {
                String topic = config.resourceType() == Config.TOPIC ? config.resourceName() : "";
                cleared.add(new MetadataRecord.ClearElr(topic));
            }
        }
        return cleared;
    }

    private List<MetadataRecord> alter(ConfigChange change) throws Refusal {
        checkResource(change);
        if (!Duplicates.of(change.ops().stream().map(ConfigOp::key)).isEmpty()) {
            throw new Refusal(ErrorCode.INVALID_REQUEST, "a config key is named more than once");
        }
        SortedMap<String, String> before = state.metadata.configs(change.resourceType(), change.resourceName());
        TreeMap<String, String> after = new TreeMap<>(before);
        List<MetadataRecord> records = new ArrayList<>();
        for (ConfigOp op : change.ops()) {
            String value = value(change, op, before.get(op.key()));
            checkSize(op.key(), value);
            if (value == null) {
                after.remove(op.key());
            } else {
                after.put(op.key(), value);
            }
            // A broker reloads what its config names (key stores) even where the value is the same (KAFKA-14136).
            if (change.resourceType() == Config.BROKER || !Objects.equals(value, before.get(op.key()))) {
                records.add(new Config(change.resourceType(), change.resourceName(), op.key(), value));
            }
        }
        String problem = change.resourceType() == Config.TOPIC ? TopicConfigs.problem(after) : brokerProblem(after);
        if (problem != null) {
            throw new Refusal(ErrorCode.INVALID_CONFIG, problem);
        }
        return records;
    }

    static void checkSize(String key, @Nullable String value) throws Refusal {
        if (value != null && value.getBytes(UTF_8).length > MAX_VALUE_BYTES) {
            throw new Refusal(
                    ErrorCode.INVALID_CONFIG,
                    "the value of config " + key + " is longer than " + MAX_VALUE_BYTES + " bytes");
        }
    }

    private void checkResource(ConfigChange change) throws Refusal {
        String name = change.resourceName();
        if (change.resourceType() == Config.TOPIC) {
            String problem = TopicNames.problem(name);
            if (problem != null) {
                throw new Refusal(ErrorCode.INVALID_TOPIC_EXCEPTION, problem);
            }
            if (state.metadata.topic(name) == null) {
                throw new Refusal(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "The topic '" + name + "' does not exist.");
            }
            return;
        }
        if (change.resourceType() != Config.BROKER) {
            throw new Refusal(
                    ErrorCode.INVALID_REQUEST,
                    "configs of resource type " + change.resourceType() + " can not be altered");
        }
        if (!name.isEmpty()) {
            checkNode(name);
        }
        for (ConfigOp op : change.ops()) {
            if (op.op() != ConfigOp.Op.DELETE && state.config.readOnlyConfigs().contains(op.key())) {
                throw new Refusal(
                        ErrorCode.INVALID_REQUEST,
                        "a running node does not take up " + op.key() + "; change it in server.properties");
            }
        }
        boolean minIsr = change.ops().stream().anyMatch(op -> op.key().equals(TopicConfigs.MIN_INSYNC_REPLICAS));
        if (minIsr && state.metadata.elrEnabled()) {
            if (!name.isEmpty()) {
                throw new Refusal(
                        ErrorCode.INVALID_CONFIG,
                        "min.insync.replicas of a single broker can not be altered while ELR is enabled");
            }
            boolean removed = change.ops().stream()
                    .anyMatch(op -> op.key().equals(TopicConfigs.MIN_INSYNC_REPLICAS) && op.op() == ConfigOp.Op.DELETE);
            if (removed) {
                throw new Refusal(
                        ErrorCode.INVALID_CONFIG,
                        "the cluster's min.insync.replicas can not be removed while ELR is enabled");
            }
        }
    }

    private void checkNode(String name) throws Refusal {
        int id;
        try {
            id = Integer.parseInt(name);
        } catch (NumberFormatException e) {
            throw new Refusal(ErrorCode.INVALID_REQUEST, "broker '" + name + "' is not a number");
        }
        if (state.metadata.broker(id) == null && !state.metadata.controllers().containsKey(id)) {
            throw new Refusal(ErrorCode.BROKER_ID_NOT_REGISTERED, "No node with id " + id + " found.");
        }
    }

    /** What the key has after the operation; null: nothing. */
    private @Nullable String value(ConfigChange change, ConfigOp op, @Nullable String before) throws Refusal {
        String given = op.value();
        if (op.op() == ConfigOp.Op.DELETE) {
            return null;
        }
        if (given == null) {
            throw new Refusal(ErrorCode.INVALID_REQUEST, "config " + op.key() + " has no value");
        }
        if (op.op() == ConfigOp.Op.SET) {
            return given;
        }
        TopicConfigs.Definition definition = definition(change.resourceType(), op.key());
        if (definition == null || definition.type() != TopicConfigs.Type.LIST) {
            throw new Refusal(
                    ErrorCode.INVALID_CONFIG, "Can't " + op.op() + " to key " + op.key() + ": it is not a list");
        }
        List<String> items = new ArrayList<>(TopicConfigs.items(before == null ? definition.defaultValue() : before));
        for (String item : TopicConfigs.items(given)) {
            if (op.op() == ConfigOp.Op.SUBTRACT) {
                items.remove(item);
            } else if (!items.contains(item)) {
                items.add(item);
            }
        }
        return String.join(",", items);
    }

    private static TopicConfigs.@Nullable Definition definition(byte resourceType, String key) {
        if (resourceType == Config.TOPIC) {
            return TopicConfigs.all().get(key);
        }
        return synonyms(key).findFirst().orElse(null);
    }

    private static Stream<TopicConfigs.Definition> synonyms(String property) {
        return TopicConfigs.all().values().stream()
                .filter(definition -> definition.synonyms().stream()
                        .anyMatch(synonym -> synonym.property().equals(property) && synonym.millis() == 1));
    }

    /** Of a broker's configs the controller knows those that stand behind a topic's; the rest is the broker's to judge. */
    private static @Nullable String brokerProblem(SortedMap<String, String> configs) {
        for (var config : configs.entrySet()) {
            TopicConfigs.Definition definition = definition(Config.BROKER, config.getKey());
            String problem = definition == null ? null : definition.problem(config.getValue());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
