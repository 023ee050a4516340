package io.tidemark.workload.fault;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DescribeQuorumRequest;
import org.apache.kafka.common.requests.DescribeQuorumResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * Asks one broker what it knows, by itself: an admin client asks any broker, hides leader epochs and waits for others.
 * The one class here that knows kafka-clients' internal request classes. Not thread-safe.
 */
public final class ClusterProbe implements Closeable {
    private static final short METADATA_VERSION = 8;
    private static final short DESCRIBE_QUORUM_VERSION = 0;
    private static final TopicPartition METADATA_LOG = new TopicPartition("__cluster_metadata", 0);
    private static final int MAX_RESPONSE = 16 << 20;

    private final InetSocketAddress address;
    private final int timeoutMillis;
    private @Nullable Socket socket;
    private int correlationId;

    /** Connects with the first question, and again after an error. */
    public ClusterProbe(InetSocketAddress address, Duration timeout) {
        this.address = address;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /**
     * The cluster as this broker knows it.
     *
     * @throws IOException if it does not answer in time, or with an error
     */
    public ClusterView cluster(String topic) throws IOException {
        MetadataRequest request = new MetadataRequest.Builder(List.of(topic), false).build(METADATA_VERSION);
        MetadataResponse response = ask(ApiKeys.METADATA, request, MetadataResponse.class);
        Set<Integer> brokers = new HashSet<>(response.brokersById().keySet());
        List<ClusterView.PartitionView> partitions = response.data().topics().stream()
                .filter(known -> known.errorCode() == Errors.NONE.code())
                .flatMap(known -> known.partitions().stream())
                .map(ClusterProbe::partition)
                .collect(Collectors.toList());
        return new ClusterView(brokers, partitions);
    }

    private static ClusterView.PartitionView partition(MetadataResponseData.MetadataResponsePartition known) {
        return new ClusterView.PartitionView(
                known.partitionIndex(), known.leaderId(), known.leaderEpoch(), known.replicaNodes(), known.isrNodes());
    }

    /**
     * The quorum as this broker learns of it.
     *
     * @throws IOException if it does not answer in time, or knows no leader
     */
    public ClusterView.QuorumView quorum() throws IOException {
        DescribeQuorumRequest request = new DescribeQuorumRequest.Builder(
                        DescribeQuorumRequest.singletonRequest(METADATA_LOG))
                .build(DESCRIBE_QUORUM_VERSION);
        DescribeQuorumResponse response = ask(ApiKeys.DESCRIBE_QUORUM, request, DescribeQuorumResponse.class);
        if (response.data().errorCode() != Errors.NONE.code()
                || response.data().topics().isEmpty()
                || response.data().topics().get(0).partitions().isEmpty()) {
            throw new IOException(
                    address + ": " + Errors.forCode(response.data().errorCode()));
        }
        var state = response.data().topics().get(0).partitions().get(0);
        if (state.errorCode() != Errors.NONE.code()) {
            throw new IOException(address + ": " + Errors.forCode(state.errorCode()));
        }
        return new ClusterView.QuorumView(state.leaderId(), state.leaderEpoch());
    }

    private <T extends AbstractResponse> T ask(ApiKeys api, AbstractRequest request, Class<T> type) throws IOException {
        try {
            RequestHeader header = new RequestHeader(api, request.version(), "tidemark-probe", ++correlationId);
            AbstractResponse response = AbstractResponse.parseResponse(exchange(request, header), header);
            return type.cast(response);
        } catch (IOException | KafkaException | IllegalArgumentException e) {
            close();
            throw e instanceof IOException io ? io : new IOException(address + ": " + e.getMessage(), e);
        }
    }

    private ByteBuffer exchange(AbstractRequest request, RequestHeader header) throws IOException {
        Socket connection = connect();
        ByteBuffer body = request.serializeWithHeader(header);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + body.remaining());
        frame.putInt(body.remaining()).put(body);
        connection.getOutputStream().write(frame.array());
        DataInputStream in = new DataInputStream(connection.getInputStream());
        int size = in.readInt();
        if (size < 0 || size > MAX_RESPONSE) {
            throw new IOException(address + ": a response of " + size + " bytes");
        }
        byte[] bytes = new byte[size];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private Socket connect() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            socket = open;
            open.setTcpNoDelay(true);
            open.setSoTimeout(timeoutMillis);
            open.connect(address, timeoutMillis);
        }
        return open;
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing is left to lose on a connection that is given up.
                return;
            }
        }
    }
}
