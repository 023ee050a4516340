package io.tidemark.workload;

import io.tidemark.history.KafkaOps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The load of one run: producers, a reader that follows the end of the log and one that reads from the beginning, each
 * in a thread of its own; then the final read. Start it, stop it, read.
 */
public final class Workload {
    private final WorkloadConfig config;
    private final Recorder recorder;
    private final List<ProducerLoad> producers = new ArrayList<>();
    private final List<ReaderLoad> readers = new ArrayList<>();
    private final List<Thread> producerThreads = new ArrayList<>();
    private final List<Thread> readerThreads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    public Workload(WorkloadConfig config, Recorder recorder) {
        this.config = config;
        this.recorder = recorder;
        AtomicLong values = new AtomicLong();
        for (int i = 0; i < config.producers(); i++) {
            ProducerLoad producer = new ProducerLoad(config, recorder, values, i);
            producers.add(producer);
            producerThreads.add(thread("producer-" + i, producer));
        }
        for (boolean beginning : new boolean[] {false, true}) {
            String name = beginning ? "reader-from-the-beginning" : "reader-of-the-end";
            ReaderLoad reader = new ReaderLoad(config, recorder, name, beginning);
            readers.add(reader);
            readerThreads.add(thread(name, reader));
        }
    }

    public void start() {
        producerThreads.forEach(Thread::start);
        readerThreads.forEach(Thread::start);
    }

    /** Stops sending and waits until the outcome of every record is known, at most as long as a delivery may take. */
    public void stopProducers() throws InterruptedException {
        producers.forEach(ProducerLoad::stop);
        join(producerThreads, Duration.ofMillis(WorkloadConfig.DELIVERY_TIMEOUT_MS + 10_000L));
    }

    public void stopReaders() throws InterruptedException {
        readers.forEach(ReaderLoad::stop);
        join(readerThreads, Duration.ofSeconds(15));
    }

    /** Is told how far the final read is, by the thread that reads. */
    @FunctionalInterface
    public interface FinalReadProgress {
        /**
         * So far.
         *
         * @param complete partitions read to their end offset as it is known now
         * @param records read, of {@code all} in all partitions together
         */
        void at(int complete, long records, long all);
    }

    /** The final read; only when producers and readers have stopped and the cluster is whole again. */
    public Map<Integer, KafkaOps.Extent> finalRead(Duration limit, FinalReadProgress progress)
            throws InterruptedException {
        return new FinalRead(config, recorder, progress).read(System.nanoTime() + limit.toNanos());
    }

    /** What ended one of the threads before its time, if anything did: then the run is no evidence. */
    public @Nullable Throwable failure() {
        return failure.get();
    }

    private Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, error) -> failure.compareAndSet(null, error));
        return thread;
    }

    private void join(List<Thread> threads, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                failure.compareAndSet(null, new IllegalStateException(thread.getName() + " did not end in time"));
            }
        }
    }
}
