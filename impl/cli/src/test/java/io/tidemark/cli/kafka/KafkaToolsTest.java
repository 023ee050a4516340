package io.tidemark.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaToolsTest {
    @Test
    void aToolHasTheNameOfItsScript() {
        String topics = "org.apache.kafka.tools.TopicCommand";
        assertThat(KafkaTools.classOf("topics")).contains(topics);
        assertThat(KafkaTools.classOf("kafka-topics")).contains(topics);
        assertThat(KafkaTools.classOf("kafka-topics.sh")).contains(topics);
        assertThat(KafkaTools.classOf("topic")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            console-consumer          | --topic a                             | add --partition 0 --offset earliest
            kafka-console-consumer.sh | --topic a --group g                   | add --partition 0 --offset earliest
            verifiable-consumer       | --topic a                             | console-consumer --partition 0 --offset earliest reads without one
            console-consumer          | --topic a --partition 0 --offset 0    |
            console-consumer          | --topic a --partition=0               |
            console-consumer          | --help                                |
            console-producer          | --topic a                             |
            """)
    void whatNeedsAConsumerGroupIsToldTheCure(String tool, String arguments, @Nullable String cure) {
        assertThat(KafkaTools.hint(tool, List.of(arguments.split(" "))))
                .isEqualTo(Optional.ofNullable(cure)
                        .map(text -> "Tidemark's brokers serve no consumer groups yet, which this needs; " + text));
    }

    @Test
    void namesAreSortedAndPlain() {
        assertThat(KafkaTools.names())
                .isSorted()
                .contains("console-producer", "console-consumer", "dump-log", "metadata-quorum", "producer-perf-test")
                .allMatch(name -> KafkaTools.plain(name).equals(name));
    }
}
