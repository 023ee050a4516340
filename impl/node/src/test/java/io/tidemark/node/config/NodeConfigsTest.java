package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.metadata.TopicConfigs;
import org.junit.jupiter.api.Test;

class NodeConfigsTest {
    @Test
    void oneServerPropertyBehindEachTopicConfigIsDynamic() {
        for (TopicConfigs.Definition topic : TopicConfigs.all().values()) {
            for (int i = 0; i < topic.synonyms().size(); i++) {
                ConfigKey key = ConfigKeys.get(topic.synonyms().get(i).property());
                assertThat(NodeConfigs.isDynamic(key)).as(key.name()).isEqualTo(i == 0);
            }
        }
        assertThat(NodeConfigs.isDynamic(ConfigKeys.get("log.cleaner.threads"))).isTrue();
    }

    @Test
    void theRestIsReadOnly() {
        assertThat(NodeConfigs.readOnly())
                .contains("process.roles", "listeners", "log.retention.hours", "log.cleaner.enable", "node.id")
                .doesNotContain("log.retention.ms", "min.insync.replicas", "log.cleaner.threads")
                .hasSizeGreaterThan(200);
    }
}
