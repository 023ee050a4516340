package io.tidemark.wire;

import io.tidemark.wire.ApiCatalog.VersionRange;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * One served API: how its requests become a {@link Body} and the answers Kafka's.
 *
 * @param versions that are served
 * @param listsOnly no hash collection is in request or answer: they may name partitions by the ten thousand
 * @param <Q> Kafka's request
 * @param <P> the neutral answer
 */
record Api<Q extends ApiMessage, P>(
        ApiKeys key,
        VersionRange versions,
        Class<Q> requestType,
        Class<P> answerType,
        Decoder<Q> decoder,
        Encoder<Q, P> encoder,
        boolean listsOnly) {

    /**
     * How a message was met.
     *
     * @param version of the API
     * @param nowMs when it was decoded, ms since 1970
     */
    record Scope(Listener listener, short version, NodeFacts facts, long nowMs) {}

    interface Decoder<Q> {
        Body decode(Q request, Scope scope) throws MalformedFrameException;
    }

    interface Encoder<Q, P> {
        ApiMessage encode(Q request, P answer, Scope scope);
    }

    Api<Q, P> ofListsOnly() {
        return new Api<>(key, versions, requestType, answerType, decoder, encoder, true);
    }

    Body decode(ApiMessage request, Scope scope) throws MalformedFrameException {
        return decoder.decode(requestType.cast(request), scope);
    }

    ApiMessage encode(ApiMessage request, Object answer, Scope scope) {
        return answer instanceof Answer done
                ? done.message()
                : encoder.encode(requestType.cast(request), answerType.cast(answer), scope);
    }
}
