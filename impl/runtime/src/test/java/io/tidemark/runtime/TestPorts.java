package io.tidemark.runtime;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordScanner;
import io.tidemark.core.log.TimestampOffset;
import io.tidemark.runtime.port.FlushThread;
import io.tidemark.runtime.port.Network;
import io.tidemark.storage.Disk;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Ports of one loop for everything and records that nobody looks into. */
public final class TestPorts {
    private TestPorts() {}

    public static Ports of(ManualLoop loop, Network network, FlushThread flush, Disk disk, StepListener listener) {
        RandomGenerator random = () -> 0;
        return new Ports(
                loop, loop, flush, flush, network, () -> 0, disk, new TestCodec(), new Scanner(), random, listener);
    }

    private static final class Scanner implements RecordScanner {
        @Override
        public @Nullable TimestampOffset firstAtOrAfter(
                BatchHeader header, ByteBuffer batch, long timestamp, long fromOffset) {
            return null;
        }

        @Override
        public @Nullable TimestampOffset maxTimestamp(BatchHeader header, ByteBuffer batch) {
            return null;
        }
    }
}
