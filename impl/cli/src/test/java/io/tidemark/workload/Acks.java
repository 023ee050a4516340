package io.tidemark.workload;

import io.tidemark.history.HistoryWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A recorder that is told of records that nobody sent, at times that nobody waited for. */
public final class Acks {
    private final AtomicLong clock = new AtomicLong();
    private final Recorder recorder;

    public Acks(Path history, int partitions) throws IOException {
        this.recorder = new Recorder(HistoryWriter.create(history, clock::get), "t", partitions);
    }

    public Recorder recorder() {
        return recorder;
    }

    /** Each time has to be later than those before. */
    public void add(int partition, long sentAt, long ackedAt) {
        clock.set(sentAt);
        Recorder.Sending sending = recorder.sending("c", partition, sentAt);
        clock.set(ackedAt);
        recorder.acknowledged(sending, 0);
    }
}
