package io.tidemark.node;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.workload.log.PartitionDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A consumer's answer with what lies in the leader's segments in place of what lies below its high watermark. */
final class ReadAhead {
    /** Fetches name the topic by its id; the nodes that do this have one topic. */
    private static final String TOPIC = "drill";

    private ReadAhead() {}

    static ClientResponse answer(Path data, ClientRequest.Fetch fetch, ClientResponse answer) {
        if (!(answer instanceof ClientResponse.Fetched fetched)) {
            return answer;
        }
        List<ClientResponse.Fetched.FetchedItem> items = new ArrayList<>();
        for (int i = 0; i < fetched.items().size(); i++) {
            ClientResponse.Fetched.FetchedItem item = fetched.items().get(i);
            boolean served = item.error() == ErrorCode.NONE && item.diverging() == null;
            items.add(served ? ahead(data, fetch.items().get(i), item) : item);
        }
        return new ClientResponse.Fetched(fetched.error(), items);
    }

    private static ClientResponse.Fetched.FetchedItem ahead(
            Path data, ClientRequest.Fetch.FetchItem asked, ClientResponse.Fetched.FetchedItem given) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        long[] end = {given.hw()};
        try {
            PartitionDirectory.forEachBatch(
                    data.resolve(TOPIC + "-" + asked.partition().partition()), batch -> {
                        if (batch.lastOffset() >= asked.fetchOffset() && records.size() < asked.maxBytes()) {
                            byte[] bytes = new byte[batch.bytes().remaining()];
                            batch.bytes().get(bytes);
                            records.writeBytes(bytes);
                        }
                        end[0] = Math.max(end[0], batch.lastOffset() + 1);
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ClientResponse.Fetched.FetchedItem(
                given.partition(),
                given.error(),
                end[0],
                given.logStart(),
                given.diverging(),
                given.leader(),
                given.leaderEpoch(),
                new RecordBytes(ByteBuffer.wrap(records.toByteArray())));
    }
}
