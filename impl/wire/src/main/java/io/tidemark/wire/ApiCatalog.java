package io.tidemark.wire;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse.EpochEnds;
import io.tidemark.core.message.ClientResponse.Fetched;
import io.tidemark.core.message.ClientResponse.ListedOffsets;
import io.tidemark.core.message.ClientResponse.Produced;
import io.tidemark.core.message.ClientResponse.ProducerId;
import io.tidemark.core.message.ClientResponse.Producers;
import io.tidemark.core.message.ClientResponse.Quorum;
import io.tidemark.core.quorum.QuorumMessage.BeginQuorumEpochResult;
import io.tidemark.core.quorum.QuorumMessage.EndQuorumEpochResult;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import io.tidemark.core.quorum.QuorumMessage.VoteResult;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.BeginQuorumEpochRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.EndQuorumEpochRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The APIs that each listener serves, and so advertises; Produce alone is offered from an older version on than is served, see
 * {@link ClusterAnswers}. An API that is not here does not exist for a client.
 * Versions are written down, not asked of kafka-clients, so that its next release advertises nothing that was not reviewed.
 * What nodes ask one another is in versions of its own ({@link PeerVersions}).
 */
public final class ApiCatalog {
    /** Where a request has no time limit of its own. */
    private static final int DEFAULT_TIMEOUT_MS = 30_000;

    /** Versions, both inclusive. */
    public record VersionRange(short min, short max) {
        boolean contains(short version) {
            return version >= min && version <= max;
        }
    }

    private static final SortedMap<Short, Api<?, ?>> BROKER = table(
            List.of(
                    api(
                            ApiKeys.PRODUCE,
                            versions(3, 13),
                            ProduceRequestData.class,
                            Produced.class,
                            ProduceMapping::decode,
                            (q, a, s) -> ProduceMapping.answer(a, s)),
                    api(
                                    ApiKeys.FETCH,
                                    versions(4, 18),
                                    FetchRequestData.class,
                                    Fetched.class,
                                    FetchMapping::decode,
                                    (q, a, s) -> FetchMapping.answer(a, s))
                            .ofListsOnly(),
                    api(
                                    ApiKeys.LIST_OFFSETS,
                                    versions(1, 11),
                                    ListOffsetsRequestData.class,
                                    ListedOffsets.class,
                                    (q, s) -> client(OffsetMapping.neutral(q, s.version())),
                                    (q, a, s) -> OffsetMapping.answer(q, a, s.version()))
                            .ofListsOnly(),
                    api(
                            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
                            versions(2, 4),
                            OffsetForLeaderEpochRequestData.class,
                            EpochEnds.class,
                            (q, s) -> client(OffsetMapping.neutral(q)),
                            (q, a, s) -> OffsetMapping.answer(q, a)),
                    api(
                            ApiKeys.INIT_PRODUCER_ID,
                            versions(0, 5),
                            InitProducerIdRequestData.class,
                            ProducerId.class,
                            (q, s) -> ProducerMapping.decode(q),
                            (q, a, s) -> ProducerMapping.answer(a)),
                    api(
                                    ApiKeys.DESCRIBE_PRODUCERS,
                                    versions(0, 0),
                                    DescribeProducersRequestData.class,
                                    Producers.class,
                                    (q, s) -> client(ProducerMapping.neutral(q)),
                                    (q, a, s) -> ProducerMapping.answer(q, a))
                            .ofListsOnly(),
                    question(
                            ApiKeys.METADATA,
                            versions(0, 13),
                            MetadataRequestData.class,
                            (q, s) -> (view, context) -> MetadataAnswers.metadata(q, s.version(), view, context)),
                    question(
                            ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
                            versions(0, 0),
                            DescribeTopicPartitionsRequestData.class,
                            (q, s) -> (view, context) -> MetadataAnswers.topicPartitions(q, view, context)),
                    question(
                            ApiKeys.LIST_CONFIG_RESOURCES,
                            versions(0, 1),
                            ListConfigResourcesRequestData.class,
                            (q, s) -> (view, context) ->
                                    ConfigAnswers.list(q, s.version(), view, context.listenerName()))),
            both());

    private static final SortedMap<Short, Api<?, ?>> CONTROLLER = table(
            List.of(
                    api(
                            ApiKeys.VOTE,
                            versions(0, 2),
                            VoteRequestData.class,
                            VoteResult.class,
                            (q, s) -> new Body.Quorum(QuorumMapping.neutral(q)),
                            (q, a, s) -> QuorumMapping.answer(a, s.version())),
                    api(
                            ApiKeys.BEGIN_QUORUM_EPOCH,
                            versions(0, 1),
                            BeginQuorumEpochRequestData.class,
                            BeginQuorumEpochResult.class,
                            (q, s) -> new Body.Quorum(QuorumMapping.neutral(q)),
                            (q, a, s) -> QuorumMapping.answer(a, s.version())),
                    api(
                            ApiKeys.END_QUORUM_EPOCH,
                            versions(0, 1),
                            EndQuorumEpochRequestData.class,
                            EndQuorumEpochResult.class,
                            (q, s) -> new Body.Quorum(QuorumMapping.neutral(q)),
                            (q, a, s) -> QuorumMapping.answer(a, s.version())),
                    // Older versions have no place for a diverging epoch.
                    api(
                                    ApiKeys.FETCH,
                                    versions(12, 18),
                                    FetchRequestData.class,
                                    MetadataFetchResult.class,
                                    (q, s) -> new Body.Quorum(MetadataFetchMapping.neutral(q, s.version())),
                                    (q, a, s) -> MetadataFetchMapping.answer(a, s.version()))
                            .ofListsOnly(),
                    controller(
                            ApiKeys.BROKER_REGISTRATION,
                            versions(0, 4),
                            BrokerRegistrationRequestData.class,
                            q -> BrokerMapping.neutral(q),
                            BrokerMapping::registered),
                    controller(
                            ApiKeys.BROKER_HEARTBEAT,
                            versions(0, 2),
                            BrokerHeartbeatRequestData.class,
                            q -> BrokerMapping.neutral(q),
                            BrokerMapping::heartbeat),
                    api(
                                    ApiKeys.ALTER_PARTITION,
                                    versions(2, 3),
                                    AlterPartitionRequestData.class,
                                    ControllerResponse.class,
                                    (q, s) -> new Body.Controller(BrokerMapping.neutral(q)),
                                    (q, a, s) -> BrokerMapping.altered(a))
                            .ofListsOnly(),
                    controller(
                            ApiKeys.ALLOCATE_PRODUCER_IDS,
                            versions(0, 0),
                            AllocateProducerIdsRequestData.class,
                            q -> BrokerMapping.neutral(q),
                            BrokerMapping::allocated),
                    controller(
                            ApiKeys.CONTROLLER_REGISTRATION,
                            versions(0, 0),
                            ControllerRegistrationRequestData.class,
                            q -> BrokerMapping.neutral(q),
                            BrokerMapping::controllerRegistered)),
            both());

    private static final SortedMap<Short, VersionRange> BROKER_SERVES = versions(Listener.BROKER);
    private static final SortedMap<Short, VersionRange> CONTROLLER_SERVES = versions(Listener.CONTROLLER);

    private ApiCatalog() {}

    /** Administration and description, the same on both kinds of listener. */
    private static List<Api<?, ?>> both() {
        return List.of(
                question(
                        ApiKeys.API_VERSIONS,
                        versions(0, 4),
                        ApiVersionsRequestData.class,
                        (q, s) -> (view, context) -> ClusterAnswers.apiVersions(s.version(), view, context)),
                question(
                        ApiKeys.DESCRIBE_CLUSTER,
                        versions(0, 2),
                        DescribeClusterRequestData.class,
                        (q, s) -> (view, context) -> ClusterAnswers.cluster(q, view, context)),
                question(
                                ApiKeys.DESCRIBE_CONFIGS,
                                versions(1, 4),
                                DescribeConfigsRequestData.class,
                                (q, s) -> (view, context) -> ConfigAnswers.describe(q, view, context))
                        .ofListsOnly(),
                api(
                        ApiKeys.DESCRIBE_QUORUM,
                        versions(0, 2),
                        DescribeQuorumRequestData.class,
                        Quorum.class,
                        (q, s) -> DescribeQuorumMapping.decode(q),
                        (q, a, s) -> DescribeQuorumMapping.answer(a, s.version())),
                api(
                        ApiKeys.CREATE_TOPICS,
                        versions(2, 7),
                        CreateTopicsRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> admin(AdminMapping.neutral(q), q.timeoutMs(), s),
                        (q, a, s) -> AdminMapping.answer(q, a)),
                api(
                        ApiKeys.DELETE_TOPICS,
                        versions(1, 6),
                        DeleteTopicsRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> admin(AdminMapping.neutral(q, s.version()), q.timeoutMs(), s),
                        (q, a, s) -> AdminMapping.answer(q, s.version(), a)),
                api(
                        ApiKeys.CREATE_PARTITIONS,
                        versions(0, 3),
                        CreatePartitionsRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> admin(AdminMapping.neutral(q), q.timeoutMs(), s),
                        (q, a, s) -> AdminMapping.answer(q, a)),
                api(
                        ApiKeys.INCREMENTAL_ALTER_CONFIGS,
                        versions(0, 1),
                        IncrementalAlterConfigsRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> admin(ConfigMapping.neutral(q), DEFAULT_TIMEOUT_MS, s),
                        (q, a, s) -> ConfigMapping.answer(q, a)),
                api(
                        ApiKeys.ALTER_CONFIGS,
                        versions(0, 2),
                        AlterConfigsRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> new Body.Derived(view -> ConfigMapping.incremental(q, view), DEFAULT_TIMEOUT_MS),
                        (q, a, s) -> ConfigMapping.answer(q, a)),
                api(
                        ApiKeys.UPDATE_FEATURES,
                        versions(0, 2),
                        UpdateFeaturesRequestData.class,
                        ControllerResponse.class,
                        (q, s) -> admin(ConfigMapping.neutral(q), q.timeoutMs(), s),
                        (q, a, s) -> ConfigMapping.answer(a, s.version())),
                api(
                        ApiKeys.ELECT_LEADERS,
                        versions(0, 2),
                        ElectLeadersRequestData.class,
                        ControllerResponse.class,
                        ApiCatalog::election,
                        (q, a, s) -> ConfigMapping.answer(q, a, s.version())));
    }

    private static Body election(ElectLeadersRequestData request, Api.Scope scope) {
        return ConfigMapping.knownElection(request)
                ? admin(ConfigMapping.neutral(request), request.timeoutMs(), scope)
                : new Body.Immediate(
                        new Answer(new ElectLeadersResponseData().setErrorCode(Errors.INVALID_REQUEST.code())));
    }

    private static Body client(ClientRequest request) {
        return new Body.Client(request);
    }

    private static Body admin(ControllerRequest request, int timeoutMs, Api.Scope scope) {
        return scope.listener() == Listener.CONTROLLER
                ? new Body.Controller(request)
                : new Body.Client(new ClientRequest.Admin(request, timeoutMs));
    }

    private static VersionRange versions(int min, int max) {
        return new VersionRange((short) min, (short) max);
    }

    private static <Q extends ApiMessage, P> Api<Q, P> api(
            ApiKeys key,
            VersionRange versions,
            Class<Q> request,
            Class<P> answer,
            Api.Decoder<Q> decoder,
            Api.Encoder<Q, P> encoder) {
        return new Api<>(key, versions, request, answer, decoder, encoder, false);
    }

    private static <Q extends ApiMessage> Api<Q, ControllerResponse> controller(
            ApiKeys key,
            VersionRange versions,
            Class<Q> request,
            Function<Q, ControllerRequest> neutral,
            Function<ControllerResponse, ApiMessage> answer) {
        return api(
                key,
                versions,
                request,
                ControllerResponse.class,
                (q, s) -> new Body.Controller(neutral.apply(q)),
                (q, a, s) -> answer.apply(a));
    }

    private interface Asker<Q> {
        MetadataQuestion ask(Q request, Api.Scope scope);
    }

    private static <Q extends ApiMessage> Api<Q, Answer> question(
            ApiKeys key, VersionRange versions, Class<Q> request, Asker<Q> asker) {
        return api(
                key,
                versions,
                request,
                Answer.class,
                (q, s) -> new Body.Question(asker.ask(q, s)),
                (q, a, s) -> a.message());
    }

    /**
     * What one kind of listener serves, by Kafka's key.
     *
     * @throws IllegalStateException where two are of one key: one of them would never be asked
     */
    static SortedMap<Short, Api<?, ?>> table(List<Api<?, ?>> own, List<Api<?, ?>> both) {
        SortedMap<Short, Api<?, ?>> table = new TreeMap<>();
        Stream.concat(own.stream(), both.stream()).forEach(api -> {
            if (table.put(api.key().id, api) != null) {
                throw new IllegalStateException(api.key() + " is in the table twice");
            }
        });
        return Collections.unmodifiableSortedMap(table);
    }

    /** By Kafka's key. The controller listener serves Envelope too, which has no mapping of its own. */
    public static SortedMap<Short, VersionRange> served(Listener listener) {
        return listener == Listener.BROKER ? BROKER_SERVES : CONTROLLER_SERVES;
    }

    private static SortedMap<Short, VersionRange> versions(Listener listener) {
        SortedMap<Short, VersionRange> served = new TreeMap<>();
        table(listener).forEach((key, api) -> served.put(key, api.versions()));
        if (listener == Listener.CONTROLLER) {
            served.put(ApiKeys.ENVELOPE.id, new VersionRange((short) 0, (short) 0));
        }
        return Collections.unmodifiableSortedMap(served);
    }

    static @Nullable Api<?, ?> find(Listener listener, short key) {
        return table(listener).get(key);
    }

    /** What a broker may pass on for its clients, in an Envelope. */
    static boolean forwardable(short key) {
        return ApiKeys.hasId(key) && ApiKeys.forId(key).forwardable;
    }

    private static SortedMap<Short, Api<?, ?>> table(Listener listener) {
        return listener == Listener.BROKER ? BROKER : CONTROLLER;
    }
}
