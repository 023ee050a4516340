package io.tidemark.node;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.node.config.ConfigException;
import io.tidemark.node.config.ServerConfig;
import io.tidemark.runtime.port.Responder;
import io.tidemark.workload.log.PartitionDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Real nodes that do one thing wrong each, main classes with {@code --config FILE} as the real one has. All but
 * {@link Forgets} replicate slowly, so that there are always records that the leader alone has: no defect, as
 * {@link Slow} shows, but what makes the defects' damage certain.
 */
public final class LossyNodeMain {
    private LossyNodeMain() {}

    /** No defect: the control. */
    public static final class Slow {
        private Slow() {}

        public static void main(String[] args) {
            NodeMain.main(args, new SlowReplication());
        }
    }

    /** Acknowledges acks=all before any follower has the record. */
    public static final class AcksEarly {
        private AcksEarly() {}

        public static void main(String[] args) {
            NodeMain.main(args, new SlowReplication() {
                @Override
                public Guards guards() {
                    return Guards.without(Guard.ACK_AFTER_HW);
                }
            });
        }
    }

    /** Serves consumers whatever is in its log, above the high watermark too. */
    public static final class ReadsAhead {
        private ReadsAhead() {}

        public static void main(String[] args) throws ConfigException {
            Path data = data(args);
            NodeMain.main(args, new SlowReplication() {
                @Override
                Responder<ClientResponse> toConsumer(ClientRequest.Fetch fetch, Responder<ClientResponse> responder) {
                    return answer -> responder.respond(ReadAhead.answer(data, fetch, answer));
                }
            });
        }
    }

    /** Begins after a crash without the last appends to its partitions, as if they had never left its memory. */
    public static final class Forgets {
        private static final int BATCHES = 10;
        /** A drill as short as the tests' stays in the first segment. */
        private static final String SEGMENT = "00000000000000000000.log";

        private Forgets() {}

        public static void main(String[] args) throws ConfigException, IOException {
            Path data = data(args);
            if (!Files.exists(data.resolve(".kafka_cleanshutdown"))) {
                forget(data);
            }
            NodeMain.main(args);
        }

        /** In the partitions; the metadata log stays whole, so that the quorum's promises are kept. */
        private static void forget(Path data) throws IOException {
            List<Path> partitions;
            try (Stream<Path> entries = Files.list(data)) {
                partitions = entries.filter(entry -> Files.exists(entry.resolve(SEGMENT))
                                && !entry.getFileName().toString().startsWith("__"))
                        .toList();
            }
            for (Path partition : partitions) {
                List<Long> positions = new ArrayList<>();
                long[] end = new long[1];
                PartitionDirectory.forEachBatch(partition, batch -> {
                    positions.add(end[0]);
                    end[0] += batch.bytes().remaining();
                });
                try (FileChannel segment = FileChannel.open(partition.resolve(SEGMENT), StandardOpenOption.WRITE)) {
                    segment.truncate(positions.size() <= BATCHES ? 0 : positions.get(positions.size() - BATCHES));
                }
            }
        }
    }

    private static Path data(String[] args) throws ConfigException {
        return ServerConfig.load(Path.of(args[1])).logDir();
    }
}
