package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.wire.DescribeContext.ConfigType;
import io.tidemark.wire.DescribeContext.NodeConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.jspecify.annotations.Nullable;

/** DescribeConfigs of topics and brokers, ListConfigResources. */
final class ConfigAnswers {
    private static final byte TOPIC = MetadataRecord.Config.TOPIC;
    private static final byte BROKER = MetadataRecord.Config.BROKER;
    private static final byte BROKER_LOGGER = 8;
    private static final byte CLIENT_METRICS = 16;
    private static final byte GROUP = 32;

    /** Kafka's codes of where a value comes from. */
    private static final byte TOPIC_SOURCE = 1;

    private static final byte BROKER_SOURCE = 2;
    private static final byte CLUSTER_SOURCE = 3;
    private static final byte STATIC_SOURCE = 4;
    private static final byte DEFAULT_SOURCE = 5;

    private ConfigAnswers() {}

    static Answer describe(DescribeConfigsRequestData request, MetadataView view, DescribeContext context) {
        DescribeConfigsResponseData answer = new DescribeConfigsResponseData();
        Map<String, DescribeConfigsRequestData.DescribeConfigsResource> distinct = new LinkedHashMap<>();
        request.resources().forEach(r -> distinct.put(r.resourceType() + " " + r.resourceName(), r));
        for (DescribeConfigsRequestData.DescribeConfigsResource resource : distinct.values()) {
            DescribeConfigsResult result = new DescribeConfigsResult()
                    .setResourceType(resource.resourceType())
                    .setResourceName(resource.resourceName());
            List<String> keys = resource.configurationKeys();
            Set<String> wanted = keys == null || keys.isEmpty() ? Set.of() : new TreeSet<>(keys);
            if (resource.resourceType() == TOPIC) {
                topic(resource.resourceName(), wanted, request, view, result);
            } else if (resource.resourceType() == BROKER) {
                broker(resource.resourceName(), wanted, request, view, context, result);
            } else {
                fail(
                        result,
                        ErrorCode.INVALID_REQUEST,
                        "Configs of topics (2) and brokers (4) are served, not of type " + resource.resourceType()
                                + ".");
            }
            answer.results().add(result);
        }
        return new Answer(answer);
    }

    private static void fail(DescribeConfigsResult result, ErrorCode error, @Nullable String message) {
        result.setErrorCode(error.code()).setErrorMessage(message);
    }

    private static void topic(
            String name,
            Set<String> wanted,
            DescribeConfigsRequestData request,
            MetadataView view,
            DescribeConfigsResult result) {
        if (view.topic(name) == null) {
            fail(
                    result,
                    Topic.isValid(name) ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION,
                    null);
            return;
        }
        for (TopicConfigs.Definition definition : TopicConfigs.all().values()) {
            if (wanted.isEmpty() || wanted.contains(definition.name())) {
                TopicConfigs.Entry entry = view.topicConfigEntry(name, definition.name());
                DescribeConfigsResourceResult config = new DescribeConfigsResourceResult()
                        .setName(definition.name())
                        .setValue(entry.value())
                        .setConfigSource(source(entry.source()))
                        .setConfigType(type(definition.type()));
                if (request.includeSynonyms()) {
                    config.setSynonyms(synonyms(name, definition, view));
                }
                result.configs().add(config);
            }
        }
    }

    private static byte source(TopicConfigs.Source source) {
        return switch (source) {
            case TOPIC -> TOPIC_SOURCE;
            case DYNAMIC_BROKER -> BROKER_SOURCE;
            case DYNAMIC_DEFAULT_BROKER -> CLUSTER_SOURCE;
            case STATIC_BROKER -> STATIC_SOURCE;
            case DEFAULT -> DEFAULT_SOURCE;
        };
    }

    private static byte type(TopicConfigs.Type type) {
        return switch (type) {
            case BOOLEAN -> ConfigType.BOOLEAN.code();
            case STRING -> ConfigType.STRING.code();
            case INT -> ConfigType.INT.code();
            case LONG -> ConfigType.LONG.code();
            case DOUBLE -> ConfigType.DOUBLE.code();
            case LIST -> ConfigType.LIST.code();
        };
    }

    /** Every level that has a value, the one that wins first. */
    private static List<DescribeConfigsSynonym> synonyms(
            String topic, TopicConfigs.Definition definition, MetadataView view) {
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        String own = view.configs(TOPIC, topic).get(definition.name());
        if (own != null) {
            synonyms.add(synonym(definition.name(), own, TOPIC_SOURCE));
        }
        boolean clusterOnly = definition.name().equals(TopicConfigs.MIN_INSYNC_REPLICAS) && view.elrEnabled();
        if (!clusterOnly) {
            level(synonyms, definition, view.configs(BROKER, String.valueOf(view.nodeId())), BROKER_SOURCE);
        }
        level(synonyms, definition, view.configs(BROKER, ""), CLUSTER_SOURCE);
        level(synonyms, definition, view.staticConfig(), STATIC_SOURCE);
        String name = definition.synonyms().isEmpty()
                ? definition.name()
                : definition.synonyms().get(0).property();
        synonyms.add(synonym(name, definition.defaultValue(), DEFAULT_SOURCE));
        return synonyms;
    }

    private static void level(
            List<DescribeConfigsSynonym> synonyms,
            TopicConfigs.Definition definition,
            SortedMap<String, String> values,
            byte source) {
        for (TopicConfigs.Synonym synonym : definition.synonyms()) {
            String value = values.get(synonym.property());
            if (value != null) {
                synonyms.add(synonym(synonym.property(), value, source));
            }
        }
    }

    private static DescribeConfigsSynonym synonym(String name, @Nullable String value, byte source) {
        return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source);
    }

    private static void broker(
            String name,
            Set<String> wanted,
            DescribeConfigsRequestData request,
            MetadataView view,
            DescribeContext context,
            DescribeConfigsResult result) {
        boolean cluster = name.isEmpty();
        if (!cluster && !name.equals(String.valueOf(context.nodeId()))) {
            fail(
                    result,
                    ErrorCode.INVALID_REQUEST,
                    "Unexpected broker id, expected " + context.nodeId() + " or empty string, but received " + name);
            return;
        }
        SortedMap<String, String> own = view.configs(BROKER, String.valueOf(context.nodeId()));
        SortedMap<String, String> all = view.configs(BROKER, "");
        for (NodeConfig config : context.nodeConfigs()) {
            if ((!wanted.isEmpty() && !wanted.contains(config.name()))
                    || (cluster && !all.containsKey(config.name()))) {
                continue;
            }
            List<DescribeConfigsSynonym> levels = new ArrayList<>();
            if (!cluster && own.containsKey(config.name())) {
                levels.add(synonym(config.name(), own.get(config.name()), BROKER_SOURCE));
            }
            if (all.containsKey(config.name())) {
                levels.add(synonym(config.name(), all.get(config.name()), CLUSTER_SOURCE));
            }
            if (!cluster) {
                if (config.value() != null) {
                    levels.add(synonym(config.name(), config.value(), STATIC_SOURCE));
                }
                levels.add(synonym(config.name(), config.defaultValue(), DEFAULT_SOURCE));
            }
            result.configs().add(broker(config, levels, request));
        }
    }

    private static DescribeConfigsResourceResult broker(
            NodeConfig config, List<DescribeConfigsSynonym> levels, DescribeConfigsRequestData request) {
        boolean sensitive = config.type() == ConfigType.PASSWORD;
        if (sensitive) {
            levels.forEach(level -> level.setValue(null));
        }
        DescribeConfigsResourceResult answer = new DescribeConfigsResourceResult()
                .setName(config.name())
                .setValue(levels.get(0).value())
                .setConfigSource(levels.get(0).source())
                .setReadOnly(!config.dynamic())
                .setIsSensitive(sensitive)
                .setConfigType(config.type().code());
        if (request.includeSynonyms()) {
            answer.setSynonyms(levels);
        }
        if (request.includeDocumentation()) {
            answer.setDocumentation(config.documentation());
        }
        return answer;
    }

    /** Before version 1 it asked for client metrics alone, of which there are none. */
    static Answer list(ListConfigResourcesRequestData request, short version, MetadataView view, String listenerName) {
        ListConfigResourcesResponseData answer = new ListConfigResourcesResponseData();
        Set<Byte> types = new TreeSet<>(request.resourceTypes());
        if (version >= 1 && types.isEmpty()) {
            types.addAll(List.of(TOPIC, BROKER, BROKER_LOGGER));
        }
        for (byte type : types) {
            switch (type) {
                case TOPIC -> view.topics().keySet().forEach(name -> add(answer, type, name));
                case BROKER, BROKER_LOGGER ->
                    MetadataAnswers.alive(view, listenerName)
                            .forEach(broker -> add(answer, type, String.valueOf(broker.id())));
                case CLIENT_METRICS, GROUP -> {}
                default -> answer.setErrorCode(ErrorCode.UNSUPPORTED_VERSION.code());
            }
        }
        return new Answer(answer.errorCode() == 0 ? answer : answer.setConfigResources(List.of()));
    }

    private static void add(ListConfigResourcesResponseData answer, byte type, String name) {
        answer.configResources()
                .add(new ListConfigResourcesResponseData.ConfigResource()
                        .setResourceType(type)
                        .setResourceName(name));
    }
}
