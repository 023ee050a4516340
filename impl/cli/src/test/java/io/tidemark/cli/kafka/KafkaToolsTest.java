package io.tidemark.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KafkaToolsTest {
    @Test
    void aToolHasTheNameOfItsScript() {
        String topics = "org.apache.kafka.tools.TopicCommand";
        assertThat(KafkaTools.classOf("topics")).contains(topics);
        assertThat(KafkaTools.classOf("kafka-topics")).contains(topics);
        assertThat(KafkaTools.classOf("kafka-topics.sh")).contains(topics);
        assertThat(KafkaTools.classOf("topic")).isEmpty();
    }

    @Test
    void namesAreSortedAndPlain() {
        assertThat(KafkaTools.names())
                .isSorted()
                .contains("console-producer", "console-consumer", "dump-log", "metadata-quorum", "producer-perf-test")
                .allMatch(name -> KafkaTools.plain(name).equals(name));
    }
}
