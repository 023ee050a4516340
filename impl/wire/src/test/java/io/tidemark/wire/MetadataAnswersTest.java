package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataAnswersTest {
    private final Cluster cluster = new Cluster();

    /** Kafka's Admin leaves the name empty where it asks by id, franz-go leaves it null. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "")
    void aTopicIsFoundByItsIdWhateverItsNameSays(String name) {
        Uuid unknown = new Uuid(5, 5);
        List<MetadataResponseTopic> topics = ask(
                new MetadataRequestTopic().setName(name).setTopicId(Ids.kafka(Cluster.A)),
                new MetadataRequestTopic().setName(name).setTopicId(unknown));
        assertThat(topics).hasSize(2);
        assertThat(topics.get(0).errorCode()).isZero();
        assertThat(topics.get(0).name()).isEqualTo("a");
        assertThat(topics.get(0).partitions()).hasSize(3);
        assertThat(topics.get(1).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
        assertThat(topics.get(1).topicId()).isEqualTo(unknown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none"})
    void anUnknownNameIsAnsweredByName(String name) {
        List<MetadataResponseTopic> topics = ask(new MetadataRequestTopic().setName(name));
        assertThat(topics).singleElement().satisfies(topic -> {
            assertThat(topic.name()).isEqualTo(name);
            assertThat(topic.topicId()).isEqualTo(Uuid.ZERO_UUID);
            assertThat(topic.errorCode())
                    .isEqualTo(
                            (name.isEmpty() ? ErrorCode.INVALID_TOPIC_EXCEPTION : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
                                    .code());
        });
    }

    private List<MetadataResponseTopic> ask(MetadataRequestTopic... topics) {
        Answer answer = MetadataAnswers.metadata(
                new MetadataRequestData().setTopics(List.of(topics)).setAllowAutoTopicCreation(false),
                (short) 13,
                cluster.state,
                Cluster.context(Listener.BROKER));
        return List.copyOf(((MetadataResponseData) answer.message()).topics());
    }
}
