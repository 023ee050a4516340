package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerResponse.CreatedTopics.CreatedTopic;
import io.tidemark.core.message.ClientRequest;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** What is kept from the controller and answered in its place. */
class AdminMappingTest {
    @Test
    void aTopicNamedTwiceIsNotCreated() {
        CreateTopicsRequestData request = new CreateTopicsRequestData();
        for (String name : List.of("a", "b", "a")) {
            request.topics().mustAdd(new CreateTopicsRequestData.CreatableTopic().setName(name));
        }
        assertThat(AdminMapping.neutral(request).topics())
                .extracting(t -> t.name())
                .containsExactly("b");
        ControllerResponse created = new ControllerResponse.CreatedTopics(
                List.of(new CreatedTopic("b", Samples.TOPIC_ID, ErrorCode.NONE, null, 1, (short) 1, new TreeMap<>())));
        assertThat(AdminMapping.answer(request, created).topics())
                .extracting(t -> t.name() + " " + t.errorCode())
                .containsExactly("a 42", "b 0");
        assertThat(AdminMapping.answer(request, new ControllerResponse.Refused(ErrorCode.REQUEST_TIMED_OUT, null))
                        .topics())
                .extracting(t -> t.name() + " " + t.errorCode())
                .containsExactly("a 42", "b 7");
    }

    @Test
    void aPartitionAssignedTwiceHasNoReplicas() {
        CreateTopicsRequestData.CreatableTopic topic = new CreateTopicsRequestData.CreatableTopic().setName("a");
        for (int partition : new int[] {0, 1, 0}) {
            topic.assignments()
                    .mustAdd(new CreateTopicsRequestData.CreatableReplicaAssignment()
                            .setPartitionIndex(partition)
                            .setBrokerIds(List.of(1)));
        }
        CreateTopicsRequestData request = new CreateTopicsRequestData();
        request.topics().add(topic);
        assertThat(AdminMapping.neutral(request).topics().get(0).assignments())
                .containsEntry(0, List.of())
                .containsEntry(1, List.of(1));
    }

    @Test
    void aTopicToDeleteHasANameOrAnId() {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData()
                .setTopics(List.of(
                        state("a", Uuid.ZERO_UUID),
                        state(null, Uuid.ZERO_UUID),
                        state("b", new Uuid(1, 1)),
                        state(null, new Uuid(2, 2)),
                        state("c", Uuid.ZERO_UUID),
                        state("c", Uuid.ZERO_UUID)));
        assertThat(AdminMapping.neutral(request, (short) 6).topics())
                .containsExactly(
                        new ControllerRequest.DeleteTopics.TopicSelector("a", null),
                        new ControllerRequest.DeleteTopics.TopicSelector(null, Ids.java(new Uuid(2, 2))));
        assertThat(AdminMapping.answer(request, (short) 6, new ControllerResponse.DeletedTopics(List.of()))
                        .responses())
                .extracting(r -> r.name() + " " + r.errorCode())
                .containsExactly("null 42", "b 42", "c 42");
        DeleteTopicsRequestData old = new DeleteTopicsRequestData().setTopicNames(List.of("x"));
        assertThat(AdminMapping.neutral(old, (short) 5).topics())
                .containsExactly(new ControllerRequest.DeleteTopics.TopicSelector("x", null));
    }

    private static DeleteTopicsRequestData.DeleteTopicState state(String name, Uuid id) {
        return new DeleteTopicsRequestData.DeleteTopicState().setName(name).setTopicId(id);
    }

    @Test
    void theOldAlterConfigsDeletesWhatItDoesNotName() {
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        AlterConfigsRequestData.AlterConfigsResource topic = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType((byte) 2)
                .setResourceName("a");
        topic.configs()
                .add(new AlterConfigsRequestData.AlterableConfig()
                        .setName("retention.ms")
                        .setValue("5"));
        request.resources().add(topic);
        assertThat(ConfigMapping.incremental(request, new Cluster().state).changes())
                .containsExactly(new ControllerRequest.ConfigChange(
                        (byte) 2,
                        "a",
                        List.of(
                                new ConfigOp("retention.ms", ConfigOp.Op.SET, "5"),
                                new ConfigOp("max.message.bytes", ConfigOp.Op.DELETE, null))));
    }

    @Test
    void configsAlteredTwiceOrInUnknownWaysAreRefused() {
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        for (String name : List.of("a", "b", "a", "c", "d")) {
            IncrementalAlterConfigsRequestData.AlterConfigsResource resource =
                    new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                            .setResourceType((byte) 2)
                            .setResourceName(name);
            for (int i = 0; i < (name.equals("c") ? 2 : 1); i++) {
                resource.configs()
                        .mustAdd(new IncrementalAlterConfigsRequestData.AlterableConfig()
                                .setName("k")
                                .setConfigOperation((byte) (name.equals("d") ? 9 : 0))
                                .setValue("v"));
            }
            request.resources().mustAdd(resource);
        }
        assertThat(ConfigMapping.neutral(request).changes())
                .extracting(c -> c.resourceName())
                .containsExactly("b");
        assertThat(ConfigMapping.answer(request, new ControllerResponse.AlteredConfigs(List.of()))
                        .responses())
                .extracting(r -> r.resourceName() + " " + r.errorCode())
                .containsExactly("a 42", "c 42", "d 42");
    }

    @Test
    void adminRequestsCarryTheirTimeLimitAndUnknownElectionsAreRefused() throws Exception {
        RequestCodec codec = new RequestCodec(Samples.FACTS);
        ElectLeadersRequestData request = new ElectLeadersRequestData()
                .setElectionType((byte) 1)
                .setTopicPartitions(null)
                .setTimeoutMs(77);
        assertThat(codec.decode(Filler.frame(ApiKeys.ELECT_LEADERS, (short) 2, request, 1), Listener.BROKER)
                        .body())
                .isEqualTo(
                        new Body.Client(new ClientRequest.Admin(new ControllerRequest.ElectLeaders(true, null), 77)));
        request.setElectionType((byte) 7);
        assertThat(codec.decode(Filler.frame(ApiKeys.ELECT_LEADERS, (short) 2, request, 1), Listener.BROKER)
                        .body()
                        .toString())
                .contains("errorCode=42");
    }
}
