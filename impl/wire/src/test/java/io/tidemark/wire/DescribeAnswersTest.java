package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Describe calls over one small cluster; see {@link Cluster}. */
class DescribeAnswersTest {
    private final Cluster cluster = new Cluster();
    private final DescribeContext broker = Cluster.context(Listener.BROKER);

    private MetadataResponseData metadata(int version, MetadataRequestTopic... topics) {
        MetadataRequestData request = new MetadataRequestData().setTopics(topics.length == 0 ? null : List.of(topics));
        return (MetadataResponseData) MetadataAnswers.metadata(request, (short) version, cluster.state, broker)
                .message();
    }

    private static MetadataRequestTopic named(String name) {
        return new MetadataRequestTopic().setName(name);
    }

    @Test
    void metadataNamesLiveBrokersByTheListenerThatAsked() {
        MetadataResponseData answer = metadata(13);
        assertThat(answer.clusterId()).isEqualTo("cluster");
        assertThat(answer.brokers())
                .extracting(b -> b.nodeId() + " " + b.host() + ":" + b.port() + " " + b.rack())
                .containsExactly("1 host1:9091 rack1", "2 host2:9092 null");
        assertThat(answer.controllerId()).isEqualTo(2); // salt 3 of two
        assertThat(answer.topics()).extracting(t -> t.name()).containsExactly("a", "b");
        assertThat(answer.clusterAuthorizedOperations()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void metadataTellsLeadersEpochsAndOfflineReplicas() {
        MetadataResponseData.MetadataResponseTopic a =
                metadata(13, named("a")).topics().find("a");
        assertThat(a.topicId()).isEqualTo(Ids.kafka(Cluster.A));
        assertThat(a.partitions()).extracting(p -> p.errorCode()).containsExactly((short) 0, (short) 0, (short) 5);
        assertThat(a.partitions()).extracting(p -> p.leaderId()).containsExactly(1, 2, -1);
        assertThat(a.partitions()).extracting(p -> p.leaderEpoch()).containsOnly(5);
        assertThat(a.partitions()).extracting(p -> p.offlineReplicas()).containsOnly(List.of(3));
        assertThat(a.partitions().get(0).replicaNodes()).containsExactly(1, 2, 3);
        assertThat(metadata(0, named("a"))
                        .topics()
                        .find("a")
                        .partitions()
                        .get(0)
                        .replicaNodes())
                .as("version 0 does not name a broker that it does not list")
                .containsExactly(1, 2);
        assertThat(metadata(13, named("b"))
                        .topics()
                        .find("b")
                        .partitions()
                        .get(0)
                        .errorCode())
                .as("a leader that is fenced")
                .isEqualTo((short) 5);
    }

    @Test
    void metadataOfUnknownTopics() {
        MetadataRequestTopic byId = new MetadataRequestTopic().setName(null).setTopicId(new Uuid(9, 9));
        MetadataRequestTopic known = new MetadataRequestTopic().setName(null).setTopicId(Ids.kafka(Cluster.B));
        MetadataResponseData answer = metadata(12, named("new"), named("bad name"), byId, known, named("new"));
        assertThat(answer.topics())
                .extracting(t -> t.name() + " " + Errors.forCode(t.errorCode()))
                .containsExactly(
                        "new UNKNOWN_TOPIC_OR_PARTITION",
                        "bad name INVALID_TOPIC_EXCEPTION",
                        "null UNKNOWN_TOPIC_ID",
                        "b NONE");
        MetadataRequestData request = new MetadataRequestData()
                .setTopics(List.of(named("new"), named("bad name"), named("a")))
                .setAllowAutoTopicCreation(true);
        assertThat(MetadataAnswers.metadata(request, (short) 12, cluster.state, broker)
                        .topicsToCreate())
                .containsExactly("new");
        request.setAllowAutoTopicCreation(false);
        assertThat(MetadataAnswers.metadata(request, (short) 12, cluster.state, broker)
                        .topicsToCreate())
                .isEmpty();
    }

    @Test
    void noTopicsAreAllTopicsInVersion0AloneAndNoneLater() {
        MetadataRequestData none = new MetadataRequestData().setTopics(List.of());
        assertThat(((MetadataResponseData) MetadataAnswers.metadata(none, (short) 0, cluster.state, broker)
                                .message())
                        .topics())
                .hasSize(2);
        assertThat(((MetadataResponseData) MetadataAnswers.metadata(none, (short) 1, cluster.state, broker)
                                .message())
                        .topics())
                .isEmpty();
    }

    private DescribeTopicPartitionsResponseData partitions(DescribeTopicPartitionsRequestData request) {
        return (DescribeTopicPartitionsResponseData)
                MetadataAnswers.topicPartitions(request, cluster.state, broker).message();
    }

    @Test
    void topicPartitionsCarryEligibleLeaders() {
        DescribeTopicPartitionsResponseData answer = partitions(new DescribeTopicPartitionsRequestData());
        assertThat(answer.topics()).extracting(t -> t.name()).containsExactly("a", "b");
        assertThat(answer.topics().find("a").partitions().get(1).eligibleLeaderReplicas())
                .containsExactly(1);
        assertThat(answer.nextCursor()).isNull();
        DescribeTopicPartitionsRequestData unknown = new DescribeTopicPartitionsRequestData()
                .setTopics(List.of(new DescribeTopicPartitionsRequestData.TopicRequest().setName("x")));
        assertThat(partitions(unknown).topics().find("x").errorCode()).isEqualTo((short) 3);
    }

    @Test
    void topicPartitionsArePagedByCursor() {
        StringBuilder seen = new StringBuilder();
        DescribeTopicPartitionsRequestData request = new DescribeTopicPartitionsRequestData();
        int pages = 0;
        while (true) {
            DescribeTopicPartitionsResponseData page = partitions(request.setResponsePartitionLimit(1));
            page.topics()
                    .forEach(t -> t.partitions()
                            .forEach(p -> seen.append(t.name())
                                    .append(p.partitionIndex())
                                    .append(' ')));
            pages++;
            if (page.nextCursor() == null) {
                break;
            }
            request.setCursor(new DescribeTopicPartitionsRequestData.Cursor()
                    .setTopicName(page.nextCursor().topicName())
                    .setPartitionIndex(page.nextCursor().partitionIndex()));
        }
        assertThat(seen.toString()).isEqualTo("a0 a1 a2 b0 ");
        assertThat(pages).isEqualTo(4);
    }

    private DescribeClusterResponseData cluster(int type, boolean fenced, Listener listener) {
        DescribeClusterRequestData request =
                new DescribeClusterRequestData().setEndpointType((byte) type).setIncludeFencedBrokers(fenced);
        return (DescribeClusterResponseData) ClusterAnswers.cluster(request, cluster.state, Cluster.context(listener))
                .message();
    }

    @Test
    void clustersAreDescribedByTheKindOfListener() {
        assertThat(cluster(1, false, Listener.BROKER).brokers())
                .extracting(b -> b.brokerId())
                .containsExactly(1, 2);
        assertThat(cluster(1, true, Listener.BROKER).brokers())
                .extracting(b -> b.brokerId() + " " + b.isFenced())
                .containsExactly("1 false", "2 false", "3 true");
        DescribeClusterResponseData controllers = cluster(2, false, Listener.CONTROLLER);
        assertThat(controllers.controllerId()).isEqualTo(7);
        assertThat(controllers.brokers())
                .extracting(b -> b.brokerId() + " " + b.port())
                .containsExactly("7 9093");
        assertThat(Errors.forCode(cluster(2, false, Listener.BROKER).errorCode()))
                .isEqualTo(Errors.MISMATCHED_ENDPOINT_TYPE);
        assertThat(Errors.forCode(cluster(9, false, Listener.BROKER).errorCode()))
                .isEqualTo(Errors.UNSUPPORTED_ENDPOINT_TYPE);
    }

    @Test
    void apiVersionsTellsFeatures() {
        ApiVersionsResponseData v3 = (ApiVersionsResponseData)
                ClusterAnswers.apiVersions((short) 3, cluster.state, broker).message();
        assertThat(v3.supportedFeatures()).extracting(f -> f.name()).containsExactly("metadata.version");
        ApiVersionsResponseData v4 = (ApiVersionsResponseData)
                ClusterAnswers.apiVersions((short) 4, cluster.state, broker).message();
        assertThat(v4.supportedFeatures())
                .extracting(f -> f.name())
                .containsExactly("kraft.version", "metadata.version");
        assertThat(v4.finalizedFeatures().find("metadata.version").maxVersionLevel())
                .isEqualTo((short) 29);
        assertThat(v4.finalizedFeatures().find("kraft.version").maxVersionLevel())
                .as("the quorum's own")
                .isEqualTo((short) 1);
        assertThat(v4.finalizedFeaturesEpoch()).isEqualTo(cluster.state.appliedOffset());
        assertThat(v4.apiKeys())
                .hasSameSizeAs(ApiCatalog.served(Listener.BROKER).keySet());
    }

    private DescribeConfigsResponseData.DescribeConfigsResult configs(int type, String name, String... keys) {
        DescribeConfigsRequestData request = new DescribeConfigsRequestData()
                .setIncludeSynonyms(true)
                .setIncludeDocumentation(true)
                .setResources(List.of(new DescribeConfigsRequestData.DescribeConfigsResource()
                        .setResourceType((byte) type)
                        .setResourceName(name)
                        .setConfigurationKeys(keys.length == 0 ? null : List.of(keys))));
        return ((DescribeConfigsResponseData)
                        ConfigAnswers.describe(request, cluster.state, broker).message())
                .results()
                .get(0);
    }

    private static String described(DescribeConfigsResourceResult config) {
        StringBuilder text = new StringBuilder(config.name() + "=" + config.value() + " " + config.configSource());
        config.synonyms().forEach(s -> text.append(" | ").append(s.name() + "=" + s.value() + " " + s.source()));
        return text.toString();
    }

    @Test
    void topicConfigsTellWhereTheyComeFrom() {
        assertThat(configs(2, "a", "max.message.bytes", "retention.ms", "min.insync.replicas")
                        .configs())
                .extracting(DescribeAnswersTest::described)
                .containsExactly(
                        "max.message.bytes=1000 1 | max.message.bytes=1000 1 | message.max.bytes=500000 2"
                                + " | message.max.bytes=1048588 5",
                        "min.insync.replicas=2 4 | min.insync.replicas=2 4 | min.insync.replicas=1 5",
                        "retention.ms=7777 3 | log.retention.ms=7777 3 | log.retention.hours=2 4"
                                + " | log.retention.ms=604800000 5");
        assertThat(configs(2, "b").configs().size()).isGreaterThan(25);
        assertThat(configs(2, "x").errorCode()).isEqualTo((short) 3);
        assertThat(configs(2, "not valid").errorCode()).isEqualTo((short) 17);
        assertThat(configs(32, "group").errorCode()).isEqualTo((short) 42);
    }

    @Test
    void brokerConfigsTellWhereTheyComeFromAndHideSecrets() {
        assertThat(configs(4, "1").configs())
                .extracting(DescribeAnswersTest::described)
                .containsExactly(
                        "log.retention.ms=7777 3 | log.retention.ms=7777 3 | log.retention.ms=null 5",
                        "node.id=1 4 | node.id=1 4 | node.id=null 5",
                        "message.max.bytes=500000 2 | message.max.bytes=500000 2 | message.max.bytes=700000 4"
                                + " | message.max.bytes=1048588 5",
                        "ssl.key.password=null 4 | ssl.key.password=null 4 | ssl.key.password=null 5");
        assertThat(configs(4, "").configs())
                .extracting(DescribeAnswersTest::described)
                .containsExactly("log.retention.ms=7777 3 | log.retention.ms=7777 3");
        assertThat(configs(4, "2").errorCode()).isEqualTo((short) 42);
        assertThat(configs(4, "1").configs()).extracting(c -> c.readOnly()).containsExactly(false, true, false, false);
        assertThat(configs(4, "1").configs().get(0).documentation()).isEqualTo("How long.");
    }

    @Test
    void configResourcesAreListed() {
        ListConfigResourcesRequestData request =
                new ListConfigResourcesRequestData().setResourceTypes(List.of((byte) 2));
        assertThat(((ListConfigResourcesResponseData)
                                ConfigAnswers.list(request, (short) 1, cluster.state, Cluster.PLAINTEXT)
                                        .message())
                        .configResources())
                .extracting(r -> r.resourceName())
                .containsExactly("a", "b");
        request.setResourceTypes(List.of((byte) 77));
        assertThat(((ListConfigResourcesResponseData)
                                ConfigAnswers.list(request, (short) 1, cluster.state, Cluster.PLAINTEXT)
                                        .message())
                        .errorCode())
                .isEqualTo((short) 35);
    }
}
