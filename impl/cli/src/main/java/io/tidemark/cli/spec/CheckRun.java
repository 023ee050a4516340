package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Progress;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.tlc.TlcProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Several models, so many at a time, with one line that tells how far they are. */
final class CheckRun {
    private final Checker checker;
    private final boolean force;
    private final int jobs;
    private final Progress progress;
    private final Vacuous emptied;
    private final BiConsumer<CheckResult, @Nullable String> finished;
    private final Map<String, String> running = new LinkedHashMap<>();
    private final Map<Integer, CheckResult> results = new TreeMap<>();
    private final Map<String, String> vacuous = new TreeMap<>();

    /**
     * A run to be started.
     *
     * @param finished told of each result as it comes, one at a time, and why it is no verdict, null where it is one
     */
    CheckRun(
            Checker checker,
            boolean force,
            int jobs,
            Progress progress,
            Vacuous emptied,
            BiConsumer<CheckResult, @Nullable String> finished) {
        this.emptied = emptied;
        this.checker = checker;
        this.force = force;
        this.jobs = jobs;
        this.progress = progress;
        this.finished = finished;
    }

    /** Checks all. An interrupt ends every TLC before it goes on. */
    void run(List<Model> models) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < models.size(); i++) {
                int index = i;
                futures.add(pool.submit(() -> {
                    check(index, models);
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** What is known so far, in the models' order. */
    synchronized List<CheckResult> results() {
        return List.copyOf(results.values());
    }

    /** Of the models that hold and are no verdict: why, by name. */
    synchronized Map<String, String> vacuous() {
        return Map.copyOf(vacuous);
    }

    private void check(int index, List<Model> models) throws InterruptedException {
        Model model = models.get(index);
        show(model, "starting", models.size());
        TlcProcess.Listener listener = new TlcProcess.Listener() {
            private long before;
            private long queueBefore;

            @Override
            public void progress(TlcProcess.Progress now) {
                String trend = now.queue() > queueBefore ? "growing" : now.queue() < queueBefore ? "shrinking" : "even";
                show(
                        model,
                        String.format(
                                Locale.ROOT,
                                "%,d states/s, %,d distinct, depth %d, queue %,d %s",
                                now.generated() - before,
                                now.distinct(),
                                now.depth(),
                                now.queue(),
                                trend),
                        models.size());
                before = now.generated();
                queueBefore = now.queue();
            }
        };
        CheckResult result = checker.check(model, force, listener);
        String why = emptied.why(result, listener);
        synchronized (this) {
            running.remove(model.name());
            results.put(index, result);
            if (why != null) {
                vacuous.put(model.name(), why);
            }
            progress.clear();
            finished.accept(result, why);
        }
    }

    private synchronized void show(Model model, String state, int all) {
        running.put(model.name(), state);
        StringBuilder line = new StringBuilder("spec: " + results.size() + " of " + all);
        running.forEach(
                (name, now) -> line.append("; ").append(name).append(": ").append(now));
        progress.update(line.toString());
    }
}
