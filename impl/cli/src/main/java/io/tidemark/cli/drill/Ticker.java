package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Progress;
import java.util.function.Supplier;

/** Shows progress while the thread of the drill waits for faults; the only user of the progress line meanwhile. */
final class Ticker implements AutoCloseable {
    private static final long PERIOD_MILLIS = 200;

    private final Thread thread;

    Ticker(Progress progress, Supplier<String> line) {
        this.thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            progress.update(line.get());
                            Thread.sleep(PERIOD_MILLIS);
                        }
                    } catch (InterruptedException e) {
                        progress.clear();
                    }
                },
                "drill-progress");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
