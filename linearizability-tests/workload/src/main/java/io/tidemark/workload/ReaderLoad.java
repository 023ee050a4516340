package io.tidemark.workload;

import java.time.Duration;

/**
 * A reader that runs beside the load: it follows the end of the log, or it starts over at the beginning whenever the
 * log has grown by a quarter since, so that it reads old offsets again and again at a bounded cost.
 */
final class ReaderLoad implements Runnable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final WorkloadConfig config;
    private final Recorder recorder;
    private final String client;
    private final boolean fromTheBeginning;
    private volatile boolean stopped;

    ReaderLoad(WorkloadConfig config, Recorder recorder, String client, boolean fromTheBeginning) {
        this.config = config;
        this.recorder = recorder;
        this.client = client;
        this.fromTheBeginning = fromTheBeginning;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try (RecordingReader reader = new RecordingReader(config, recorder, client)) {
            long passAt = 0;
            reader.rewind();
            while (!stopped) {
                reader.poll(POLL);
                long acknowledged = recorder.totals().acknowledged();
                if (fromTheBeginning && acknowledged > 1_000 && acknowledged > passAt + passAt / 4) {
                    passAt = acknowledged;
                    reader.rewind();
                }
            }
        }
    }
}
