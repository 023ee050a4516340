package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.wire.ApiCatalog.VersionRange;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** DescribeCluster and ApiVersions. */
final class ClusterAnswers {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;
    /** Older versions cannot say that a feature's lowest version is 0 (KAFKA-17011). */
    private static final short FIRST_WITH_ZERO = 4;

    private static final String KRAFT_VERSION = "kraft.version";

    private ClusterAnswers() {}

    static Answer cluster(DescribeClusterRequestData request, MetadataView view, DescribeContext context) {
        byte type = request.endpointType();
        DescribeClusterResponseData answer = new DescribeClusterResponseData().setEndpointType(type);
        byte own = context.listener() == Listener.BROKER ? BROKERS : CONTROLLERS;
        if (type != own) {
            Errors error = type == BROKERS || type == CONTROLLERS
                    ? Errors.MISMATCHED_ENDPOINT_TYPE
                    : Errors.UNSUPPORTED_ENDPOINT_TYPE;
            return new Answer(answer.setErrorCode(error.code()).setErrorMessage(error.message()));
        }
        answer.setClusterId(context.clusterId());
        if (own == CONTROLLERS) {
            answer.setControllerId(context.activeController());
            view.controllers().forEach((id, controller) -> {
                Endpoint endpoint = MetadataAnswers.anyEndpoint(controller.endpoints(), context.listenerName());
                if (endpoint != null) {
                    answer.brokers().add(broker(id, endpoint));
                }
            });
            return new Answer(answer);
        }
        List<BrokerRegistration> alive = MetadataAnswers.alive(view, context.listenerName());
        answer.setControllerId(MetadataAnswers.anyBroker(alive, context.salt()));
        for (BrokerRegistration broker : view.brokers().values()) {
            Endpoint endpoint = MetadataAnswers.anyEndpoint(broker.endpoints(), context.listenerName());
            if (endpoint != null && (!broker.fenced() || request.includeFencedBrokers())) {
                answer.brokers()
                        .add(broker(broker.id(), endpoint)
                                .setRack(broker.rack())
                                .setIsFenced(broker.fenced()));
            }
        }
        return new Answer(answer);
    }

    private static DescribeClusterResponseData.DescribeClusterBroker broker(int id, Endpoint endpoint) {
        return new DescribeClusterResponseData.DescribeClusterBroker()
                .setBrokerId(id)
                .setHost(endpoint.host())
                .setPort(endpoint.port());
    }

    /** What a client is told first; the epoch of finalized features is the metadata offset that they were read at. */
    static Answer apiVersions(short version, MetadataView view, DescribeContext context) {
        ApiVersionsResponseData answer = versions(context.listener()).setFinalizedFeaturesEpoch(view.appliedOffset());
        SortedMap<String, FeatureRange> supported = new TreeMap<>(context.supportedFeatures());
        supported.put(KRAFT_VERSION, new FeatureRange((short) 0, (short) 1));
        supported.forEach((name, range) -> {
            if (range.min() > 0 || version >= FIRST_WITH_ZERO) {
                answer.supportedFeatures()
                        .add(new ApiVersionsResponseData.SupportedFeatureKey()
                                .setName(name)
                                .setMinVersion(range.min())
                                .setMaxVersion(range.max()));
            }
        });
        SortedMap<String, Short> finalized = new TreeMap<>(view.features());
        if (context.kraftVersion() > 0) {
            finalized.put(KRAFT_VERSION, context.kraftVersion());
        }
        finalized.forEach((name, level) -> answer.finalizedFeatures()
                .add(new ApiVersionsResponseData.FinalizedFeatureKey()
                        .setName(name)
                        .setMinVersionLevel(level)
                        .setMaxVersionLevel(level)));
        return new Answer(answer);
    }

    /** For a version that we do not know: in version 0, with what we do know. */
    static ApiVersionsResponseData unsupported(Listener listener) {
        return versions(listener).setErrorCode(ErrorCode.UNSUPPORTED_VERSION.code());
    }

    /**
     * As Kafka does (KAFKA-18659): librdkafka takes a broker whose Produce begins above 0 for one that knows no compression but
     * zstd. No client sends the versions below, and they are refused.
     */
    private static short offeredFrom(short key, VersionRange range) {
        return key == ApiKeys.PRODUCE.id ? ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION : range.min();
    }

    private static ApiVersionsResponseData versions(Listener listener) {
        ApiVersionsResponseData answer = new ApiVersionsResponseData();
        ApiCatalog.served(listener)
                .forEach((key, range) -> answer.apiKeys()
                        .add(new ApiVersionsResponseData.ApiVersion()
                                .setApiKey(key)
                                .setMinVersion(offeredFrom(key, range))
                                .setMaxVersion(range.max())));
        return answer;
    }
}
