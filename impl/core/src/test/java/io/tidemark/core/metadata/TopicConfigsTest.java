package io.tidemark.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicConfigsTest {
    private static String problem(Map<String, String> configs) {
        return TopicConfigs.problem(new TreeMap<>(configs));
    }

    @Test
    void everyDefaultIsValid() {
        TopicConfigs.all()
                .forEach((name, definition) -> assertThat(definition.problem(definition.defaultValue()))
                        .as(name)
                        .isNull());
    }

    @ParameterizedTest
    @CsvSource({
        "retention.ms, -1",
        "retention.ms, 9223372036854775807",
        "min.insync.replicas, 1",
        "cleanup.policy, 'compact, delete'",
        "cleanup.policy, compact",
        "compression.type, zstd",
        "preallocate, TRUE",
        "min.cleanable.dirty.ratio, 0.25",
        "follower.replication.throttled.replicas, '*'"
    })
    void valid(String key, String value) {
        assertThat(problem(Map.of(key, value))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "retention.ms, -2",
        "retention.ms, 1.5",
        "retention.ms, ''",
        "min.insync.replicas, 0",
        "min.insync.replicas, 3000000000",
        "cleanup.policy, 'compact, remove'",
        "compression.type, ZSTD",
        "preallocate, yes",
        "min.cleanable.dirty.ratio, 1.1",
        "min.cleanable.dirty.ratio, NaN",
        "segment.bytes, 1000",
        "no.such.key, 1",
        "remote.storage.enable, true"
    })
    void invalid(String key, String value) {
        assertThat(problem(Map.of(key, value))).isNotNull();
    }

    @Test
    void compactionLagsMustNotCross() {
        assertThat(problem(Map.of("min.compaction.lag.ms", "5", "max.compaction.lag.ms", "4")))
                .contains("(5) >");
    }

    @Test
    void serverPropertiesInHoursAndMinutesAreConverted() {
        MetadataState state = new MetadataState(
                1,
                new TreeMap<>(Map.of("log.retention.minutes", "2", "log.retention.hours", "9", "log.roll.hours", "3")));

        assertThat(state.topicConfig("t", "retention.ms")).isEqualTo("120000");
        assertThat(state.topicConfig("t", "segment.ms")).isEqualTo("10800000");
        assertThat(new MetadataState(1, new TreeMap<>(Map.of("log.retention.hours", "-1")))
                        .topicConfig("t", "retention.ms"))
                .isEqualTo("-1");
        assertThatThrownBy(() -> state.topicConfig("t", "no.such")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsValidWithBlanksAroundItReadsWithoutThem() {
        MetadataState state = new MetadataState(1, new TreeMap<>());
        long offset = 0;
        Map<String, String> values = Map.of(
                "min.insync.replicas", " 2",
                "max.message.bytes", "1000 ",
                "unclean.leader.election.enable", " true",
                "retention.ms", "\t5 ");
        for (Map.Entry<String, String> value : new TreeMap<>(values).entrySet()) {
            assertThat(problem(Map.of(value.getKey(), value.getValue()))).isNull();
            state.apply(
                    offset++,
                    new MetadataRecord.Config(MetadataRecord.Config.TOPIC, "t", value.getKey(), value.getValue()));
        }
        assertThat(state.effectiveMinIsr("t")).isEqualTo(2);
        assertThat(state.uncleanElection("t")).isTrue();
        assertThat(state.topicConfig("t", "max.message.bytes")).isEqualTo("1000");
        assertThat(state.topicConfig("t", "retention.ms")).isEqualTo("5");
    }
}
