package io.tidemark.core.metadata;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Kafka's topic configs: types, bounds, defaults, and the server properties that stand behind them. */
public final class TopicConfigs {
    public static final String MIN_INSYNC_REPLICAS = "min.insync.replicas";
    public static final String UNCLEAN_LEADER_ELECTION = "unclean.leader.election.enable";
    public static final String FLUSH_MESSAGES = "flush.messages";
    public static final String FLUSH_MS = "flush.ms";
    public static final String MAX_MESSAGE_BYTES = "max.message.bytes";
    public static final String TIMESTAMP_TYPE = "message.timestamp.type";
    public static final String TIMESTAMP_BEFORE_MAX_MS = "message.timestamp.before.max.ms";
    public static final String TIMESTAMP_AFTER_MAX_MS = "message.timestamp.after.max.ms";
    public static final String CLEANUP_POLICY = "cleanup.policy";

    private static final String MAX_LONG = String.valueOf(Long.MAX_VALUE);
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 3_600_000;

    /** As Kafka's ConfigDef.Type. */
    public enum Type {
        BOOLEAN,
        STRING,
        INT,
        LONG,
        DOUBLE,
        LIST
    }

    /** A level of configuration, most specific first. */
    public enum Source {
        TOPIC,
        DYNAMIC_BROKER,
        DYNAMIC_DEFAULT_BROKER,
        STATIC_BROKER,
        DEFAULT
    }

    /** An effective value and the level that it comes from. */
    public record Entry(String key, String value, Source source) {}

    /** A server property behind a topic config; {@code millis} is its unit where that is not the topic's own, else 1. */
    public record Synonym(String property, long millis) {}

    /**
     * A topic config.
     *
     * @param min inclusive, for numbers
     * @param max inclusive, for numbers
     * @param allowed values of a STRING or of a LIST's items; empty: any
     * @param synonyms server properties, the one that wins first
     */
    public record Definition(
            String name,
            Type type,
            String defaultValue,
            double min,
            double max,
            Set<String> allowed,
            List<Synonym> synonyms) {

        /** What is wrong with the value, in Kafka's manner; null when it is valid. */
        public @Nullable String problem(String value) {
            String trimmed = value.trim();
            try {
                return switch (type) {
                    case BOOLEAN ->
                        trimmed.equalsIgnoreCase("true") || trimmed.equalsIgnoreCase("false")
                                ? null
                                : invalid(value, "Expected value to be either true or false");
                    case INT -> outside(value, Integer.parseInt(trimmed));
                    case LONG -> outside(value, (double) Long.parseLong(trimmed));
                    case DOUBLE -> outside(value, Double.parseDouble(trimmed));
                    case STRING ->
                        allowed.isEmpty() || allowed.contains(trimmed)
                                ? null
                                : invalid(value, "String must be one of: " + String.join(", ", allowed));
                    case LIST -> listProblem(value);
                };
            } catch (NumberFormatException e) {
                return invalid(value, "Not a number of type " + type);
            }
        }

        private @Nullable String outside(String value, double number) {
            if (number < min || Double.isNaN(number)) {
                return invalid(value, "Value must be at least " + bound(min));
            }
            return number > max ? invalid(value, "Value must be no more than " + bound(max)) : null;
        }

        private @Nullable String listProblem(String value) {
            for (String item : items(value)) {
                if (!allowed.isEmpty() && !allowed.contains(item)) {
                    return invalid(value, "String must be one of: " + String.join(", ", allowed));
                }
            }
            return null;
        }

        private static String bound(double value) {
            return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
        }

        private String invalid(String value, String why) {
            return "Invalid value " + value + " for configuration " + name + ": " + why;
        }
    }

    private static final SortedMap<String, Definition> ALL = Collections.unmodifiableSortedMap(define());

    private TopicConfigs() {}

    /** Every topic config by name. */
    public static SortedMap<String, Definition> all() {
        return ALL;
    }

    /** Whether a server property stands behind a topic config and may be altered while nodes run: one of each may. */
    public static boolean isDynamicProperty(String property) {
        return ALL.values().stream()
                .anyMatch(definition -> !definition.synonyms().isEmpty()
                        && definition.synonyms().get(0).property().equals(property));
    }

    /** The items of a LIST value, blanks around them dropped, empty ones too. */
    public static List<String> items(String value) {
        return List.of(value.split(",", -1)).stream()
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** The first thing that is wrong with a topic's configs, in key order; null when all are valid. */
    public static @Nullable String problem(SortedMap<String, String> topicConfigs) {
        for (var entry : topicConfigs.entrySet()) {
            Definition definition = ALL.get(entry.getKey());
            if (definition == null) {
                return "Unknown topic config name: " + entry.getKey();
            }
            String problem = definition.problem(entry.getValue());
            if (problem != null) {
                return problem;
            }
        }
        if (Boolean.parseBoolean(
                topicConfigs.getOrDefault("remote.storage.enable", "false").trim())) {
            return "Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log storage.";
        }
        long minLag = longValue(topicConfigs, "min.compaction.lag.ms");
        long maxLag = longValue(topicConfigs, "max.compaction.lag.ms");
        return minLag > maxLag
                ? "conflict topic config setting min.compaction.lag.ms (" + minLag + ") > max.compaction.lag.ms ("
                        + maxLag + ")"
                : null;
    }

    private static long longValue(SortedMap<String, String> topicConfigs, String key) {
        String own = topicConfigs.get(key);
        return Long.parseLong(own == null ? definition(key).defaultValue() : own.trim());
    }

    private static Definition definition(String key) {
        Definition definition = ALL.get(key);
        if (definition == null) {
            throw new IllegalArgumentException("Unknown topic config name: " + key);
        }
        return definition;
    }

    /**
     * The effective value of a topic config over a topic's own configs.
     *
     * @throws IllegalArgumentException for a key that is no topic config
     */
    public static Entry resolve(MetadataView metadata, SortedMap<String, String> topicConfigs, String key) {
        Definition definition = definition(key);
        String own = topicConfigs.get(key);
        if (own != null) {
            return new Entry(key, own, Source.TOPIC);
        }
        byte broker = MetadataRecord.Config.BROKER;
        boolean clusterOnly = key.equals(MIN_INSYNC_REPLICAS) && metadata.elrEnabled();
        String value =
                clusterOnly ? null : find(definition, metadata.configs(broker, String.valueOf(metadata.nodeId())));
        if (value != null) {
            return new Entry(key, value, Source.DYNAMIC_BROKER);
        }
        value = find(definition, metadata.configs(broker, ""));
        if (value != null) {
            return new Entry(key, value, Source.DYNAMIC_DEFAULT_BROKER);
        }
        value = find(definition, metadata.staticConfig());
        return value != null
                ? new Entry(key, value, Source.STATIC_BROKER)
                : new Entry(key, definition.defaultValue(), Source.DEFAULT);
    }

    private static @Nullable String find(Definition definition, SortedMap<String, String> properties) {
        for (Synonym synonym : definition.synonyms()) {
            String value = properties.get(synonym.property());
            if (value != null) {
                return synonym.millis() == 1 ? value : inMillis(value.trim(), synonym.millis());
            }
        }
        return null;
    }

    /** As Kafka converts: hours and minutes below zero stand for no limit. */
    private static String inMillis(String value, long unit) {
        long count = value.isEmpty() ? 0 : Long.parseLong(value);
        return String.valueOf(count < 0 ? -1 : Math.multiplyExact(count, unit));
    }

    private static SortedMap<String, Definition> define() {
        SortedMap<String, Definition> all = new TreeMap<>();
        number(all, "segment.bytes", Type.INT, "1073741824", 1 << 20, Integer.MAX_VALUE, "log.segment.bytes");
        number(all, "segment.index.bytes", Type.INT, "10485760", 4, Integer.MAX_VALUE, "log.index.size.max.bytes");
        number(all, "index.interval.bytes", Type.INT, "4096", 0, Integer.MAX_VALUE, "log.index.interval.bytes");
        number(all, MAX_MESSAGE_BYTES, Type.INT, "1048588", 0, Integer.MAX_VALUE, "message.max.bytes");
        number(all, MIN_INSYNC_REPLICAS, Type.INT, "1", 1, Integer.MAX_VALUE, MIN_INSYNC_REPLICAS);
        number(all, "compression.gzip.level", Type.INT, "-1", -1, 9, "compression.gzip.level");
        number(all, "compression.lz4.level", Type.INT, "9", 1, 17, "compression.lz4.level");
        number(all, "compression.zstd.level", Type.INT, "3", -131072, 22, "compression.zstd.level");
        number(all, FLUSH_MESSAGES, Type.LONG, MAX_LONG, 1, Long.MAX_VALUE, "log.flush.interval.messages");
        number(all, "retention.bytes", Type.LONG, "-1", -1, Long.MAX_VALUE, "log.retention.bytes");
        number(all, "file.delete.delay.ms", Type.LONG, "60000", 0, Long.MAX_VALUE, "log.segment.delete.delay.ms");
        number(all, "delete.retention.ms", Type.LONG, "86400000", 0, Long.MAX_VALUE, "log.cleaner.delete.retention.ms");
        number(all, "min.compaction.lag.ms", Type.LONG, "0", 0, Long.MAX_VALUE, "log.cleaner.min.compaction.lag.ms");
        number(
                all,
                "max.compaction.lag.ms",
                Type.LONG,
                MAX_LONG,
                1,
                Long.MAX_VALUE,
                "log.cleaner.max.compaction.lag.ms");
        number(all, "min.cleanable.dirty.ratio", Type.DOUBLE, "0.5", 0, 1, "log.cleaner.min.cleanable.ratio");
        number(all, "local.retention.ms", Type.LONG, "-2", -2, Long.MAX_VALUE, "log.local.retention.ms");
        number(all, "local.retention.bytes", Type.LONG, "-2", -2, Long.MAX_VALUE, "log.local.retention.bytes");
        number(all, TIMESTAMP_BEFORE_MAX_MS, Type.LONG, MAX_LONG, 0, Long.MAX_VALUE, "log." + TIMESTAMP_BEFORE_MAX_MS);
        number(all, TIMESTAMP_AFTER_MAX_MS, Type.LONG, "3600000", 0, Long.MAX_VALUE, "log." + TIMESTAMP_AFTER_MAX_MS);
        millis(all, "segment.ms", "604800000", 1, of("log.roll.ms"), hours("log.roll.hours"));
        millis(all, "segment.jitter.ms", "0", 0, of("log.roll.jitter.ms"), hours("log.roll.jitter.hours"));
        millis(all, FLUSH_MS, MAX_LONG, 0, of("log.flush.interval.ms"), of("log.flush.scheduler.interval.ms"));
        millis(
                all,
                "retention.ms",
                "604800000",
                -1,
                of("log.retention.ms"),
                new Synonym("log.retention.minutes", MINUTE_MS),
                hours("log.retention.hours"));
        add(all, Type.LIST, CLEANUP_POLICY, "delete", values("compact", "delete"), "log.cleanup.policy");
        Set<String> codecs = values("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer");
        add(all, Type.STRING, "compression.type", "producer", codecs, "compression.type");
        Set<String> timestamps = values("CreateTime", "LogAppendTime");
        add(all, Type.STRING, TIMESTAMP_TYPE, "CreateTime", timestamps, "log.message.timestamp.type");
        add(all, Type.BOOLEAN, UNCLEAN_LEADER_ELECTION, "false", values(), UNCLEAN_LEADER_ELECTION);
        add(all, Type.BOOLEAN, "preallocate", "false", values(), "log.preallocate");
        for (String remote : List.of("storage.enable", "log.copy.disable", "log.delete.on.disable")) {
            add(all, Type.BOOLEAN, "remote." + remote, "false", values());
        }
        add(all, Type.LIST, "leader.replication.throttled.replicas", "", values());
        add(all, Type.LIST, "follower.replication.throttled.replicas", "", values());
        return all;
    }

    /** Ordered, so that messages that list them are the same in every run. */
    private static Set<String> values(String... allowed) {
        return Collections.unmodifiableSet(new TreeSet<>(List.of(allowed)));
    }

    private static Synonym of(String property) {
        return new Synonym(property, 1);
    }

    private static Synonym hours(String property) {
        return new Synonym(property, HOUR_MS);
    }

    private static void number(
            SortedMap<String, Definition> all,
            String name,
            Type type,
            String defaultValue,
            double min,
            double max,
            String property) {
        all.put(name, new Definition(name, type, defaultValue, min, max, values(), List.of(of(property))));
    }

    private static void millis(
            SortedMap<String, Definition> all, String name, String defaultValue, double min, Synonym... synonyms) {
        all.put(name, new Definition(name, Type.LONG, defaultValue, min, Long.MAX_VALUE, values(), List.of(synonyms)));
    }

    private static void add(
            SortedMap<String, Definition> all,
            Type type,
            String name,
            String defaultValue,
            Set<String> allowed,
            String... properties) {
        List<Synonym> synonyms =
                List.of(properties).stream().map(TopicConfigs::of).toList();
        all.put(name, new Definition(name, type, defaultValue, 0, 0, allowed, synonyms));
    }
}
