package io.tidemark.node;

import io.tidemark.node.config.Formatter;
import io.tidemark.storage.RealDisk;
import io.tidemark.wire.KafkaMetadataCodec;
import java.io.PrintStream;

/** {@code format}: prepares a node's directory, with the options of Kafka's storage tool. */
public final class FormatTool {
    private FormatTool() {}

    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    /**
     * Runs the tool in this process.
     *
     * @return 0 done, 2 usage, 4 wrong file or directory, 5 directory not writable
     */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return new Formatter(new RealDisk(), new KafkaMetadataCodec()).run(args, out, err);
    }
}
