package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientResponse;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a connection: a frame to what it asks for, and the answer to a frame. Thread-safe; holds nothing of a
 * connection.
 */
public final class RequestCodec {
    private static final int KEY_AND_VERSION = 4;

    private final NodeFacts facts;

    public RequestCodec(NodeFacts facts) {
        this.facts = facts;
    }

    /** A request's header. */
    public record Header(short apiKey, short apiVersion, int correlationId, String clientId) {
        /** Kafka's name of the API, for people. */
        public String api() {
            return ApiKeys.hasId(apiKey) ? ApiKeys.forId(apiKey).name : "API " + apiKey;
        }
    }

    /** A request understood. {@code exchange} is what its answer needs, and all that need be kept until then. */
    public record Decoded(Exchange exchange, Body body) {
        public Header header() {
            return exchange.header;
        }
    }

    /** One request that waits for its answer. */
    public static final class Exchange {
        private final Header header;
        private final Api<?, ?> api;
        private final ApiMessage request;
        private final Api.Scope scope;
        /** The Envelope that it came in. */
        private final @Nullable Header envelope;

        private Exchange(Header header, Api<?, ?> api, ApiMessage request, Api.Scope scope, @Nullable Header envelope) {
            this.header = header;
            this.api = api;
            this.request = request;
            this.scope = scope;
            this.envelope = envelope;
        }

        public Header header() {
            return header;
        }

        /** False for a Produce with acks=0: nothing may be sent. */
        public boolean expectsAnswer() {
            return !(request instanceof ProduceRequestData produce && produce.acks() == 0);
        }
    }

    /**
     * Understands one request.
     *
     * @param frame without its size, between position and limit; record bytes are slices of it and the time stamp of a
     *     batch may be set in it, so it must be writable and not be used for anything else
     * @throws MalformedFrameException where the connection is to be closed
     */
    public Decoded decode(ByteBuffer frame, Listener listener) throws MalformedFrameException {
        Header header = header(frame);
        if (listener == Listener.CONTROLLER && header.apiKey() == ApiKeys.ENVELOPE.id && header.apiVersion() == 0) {
            EnvelopeRequestData envelope = new EnvelopeRequestData();
            read(envelope, frame, header, false);
            ByteBuffer nested = envelope.requestData();
            Header inner = header(nested);
            if (!ApiCatalog.forwardable(inner.apiKey())) {
                throw MalformedFrameException.notServed(inner.api() + " may not come in an Envelope");
            }
            return decode(inner, nested, listener, header);
        }
        return decode(header, frame, listener, null);
    }

    private Decoded decode(Header header, ByteBuffer frame, Listener listener, @Nullable Header envelope)
            throws MalformedFrameException {
        Api<?, ?> api = ApiCatalog.find(listener, header.apiKey());
        if (api != null
                && !api.versions().contains(header.apiVersion())
                && header.apiKey() == ApiKeys.API_VERSIONS.id) {
            // The one answer that every client understands, whatever version it asked in.
            Header asVersion0 = new Header(header.apiKey(), (short) 0, header.correlationId(), header.clientId());
            Exchange exchange = new Exchange(
                    asVersion0, api, api.key().messageType.newRequest(), scope(listener, (short) 0), envelope);
            return new Decoded(exchange, new Body.Immediate(new Answer(ClusterAnswers.unsupported(listener))));
        }
        if (api == null || !api.versions().contains(header.apiVersion())) {
            throw MalformedFrameException.notServed(header.api() + " version " + header.apiVersion()
                    + " is not served on a " + (listener == Listener.BROKER ? "broker" : "controller") + " listener");
        }
        ApiMessage request = api.key().messageType.newRequest();
        read(request, frame, header, api.listsOnly());
        Api.Scope scope = scope(listener, header.apiVersion());
        Body body;
        try {
            body = api.decode(request, scope);
        } catch (RuntimeException e) {
            throw malformed(header, e);
        }
        return new Decoded(new Exchange(header, api, request, scope, envelope), body);
    }

    private Api.Scope scope(Listener listener, short version) {
        return new Api.Scope(listener, version, facts, facts.nowMs());
    }

    private static Header header(ByteBuffer frame) throws MalformedFrameException {
        if (frame.remaining() < KEY_AND_VERSION + Integer.BYTES) {
            throw new MalformedFrameException("a frame of " + frame.remaining() + " bytes has no request header");
        }
        short key = frame.getShort(frame.position());
        short version = frame.getShort(frame.position() + Short.BYTES);
        if (!ApiKeys.hasId(key)) {
            throw MalformedFrameException.notServed("API " + key + " is not known");
        }
        RequestHeaderData header = new RequestHeaderData();
        try {
            header.read(
                    BoundedReadable.of(frame, BoundedReadable.MAX_REQUEST_STRUCTURE),
                    ApiKeys.forId(key).requestHeaderVersion(version));
        } catch (RuntimeException e) {
            throw new MalformedFrameException(
                    "the header of a request for " + ApiKeys.forId(key).name + " version " + version + " is malformed",
                    e);
        }
        String clientId = header.clientId();
        return new Header(key, version, header.correlationId(), clientId == null ? "" : clientId);
    }

    private static void read(ApiMessage request, ByteBuffer frame, Header header, boolean listsOnly)
            throws MalformedFrameException {
        int start = frame.position();
        try {
            if (listsOnly) {
                request.read(BoundedReadable.of(frame, BoundedReadable.MAX_REQUEST_STRUCTURE), header.apiVersion());
                return;
            }
            try {
                request.read(BoundedReadable.hashing(frame, false), header.apiVersion());
            } catch (BoundedReadable.LargeArrayException e) {
                frame.position(start);
                KeyScan.check(frame, ApiKeys.forId(header.apiKey()).messageType.requestSchemas()[header.apiVersion()]);
                request.read(BoundedReadable.hashing(frame, true), header.apiVersion());
            }
        } catch (RuntimeException e) {
            throw malformed(header, e);
        }
    }

    private static MalformedFrameException malformed(Header header, RuntimeException cause) {
        return new MalformedFrameException(
                "a request for " + header.api() + " version " + header.apiVersion() + " is malformed: "
                        + cause.getMessage(),
                cause);
    }

    /**
     * The answer as it goes out.
     *
     * @param answer what the body's kind says: a {@code QuorumMessage.Response}, {@link ControllerResponse}, {@link
     *     ClientResponse} or {@link Answer}
     */
    public Frame encode(Exchange exchange, Object answer) {
        Object plain = answer instanceof ClientResponse.Administered administered ? administered.response() : answer;
        Header envelope = exchange.envelope;
        if (envelope == null) {
            return frame(exchange.header, exchange.api.encode(exchange.request, plain, exchange.scope));
        }
        EnvelopeResponseData wrapped = new EnvelopeResponseData();
        if (plain instanceof ControllerResponse.Refused refused && refused.error() == ErrorCode.NOT_CONTROLLER) {
            wrapped.setErrorCode(refused.error().code());
        } else {
            Frame inner = frame(exchange.header, exchange.api.encode(exchange.request, plain, exchange.scope));
            ByteBuffer bytes = inner.join(records -> {
                throw new IllegalArgumentException("records in an Envelope");
            });
            wrapped.setResponseData(bytes.position(Integer.BYTES).slice());
        }
        return frame(envelope, wrapped);
    }

    private static Frame frame(Header header, ApiMessage answer) {
        return FrameWriter.frame(
                new ResponseHeaderData().setCorrelationId(header.correlationId()),
                ApiKeys.forId(header.apiKey()).responseHeaderVersion(header.apiVersion()),
                answer,
                header.apiVersion());
    }
}
