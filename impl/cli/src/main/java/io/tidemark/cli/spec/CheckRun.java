package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Wrap;
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
    /** So much of a model's name stays, however narrow the line. */
    private static final int NAME = 8;

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
                                "queue %,d %s, depth %d, %,d distinct, %,d states/s",
                                now.queue(),
                                trend,
                                now.depth(),
                                now.distinct(),
                                now.generated() - before),
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
        progress.update(line("spec: " + results.size() + " of " + all, running, progress.room()));
    }

    /**
     * All models in one line, each with its share of the room: the queue and its trend, which stand first, are the last to go.
     *
     * @param running what is known of each model, by name
     * @param room columns, {@link Wrap#NOWHERE} for all of it
     */
    static String line(String head, Map<String, String> running, int room) {
        StringBuilder line = new StringBuilder(head);
        int left = running.size();
        for (Map.Entry<String, String> model : running.entrySet()) {
            int share = room == Wrap.NOWHERE ? room : (room - line.length()) / left - "; ".length();
            String now = model.getValue();
            String first = now.split(", ", 2)[0];
            String name = Wrap.cut(model.getKey(), Math.max(NAME, share - ": ".length() - first.length()));
            while (now.length() > first.length() && name.length() + ": ".length() + now.length() > share) {
                now = now.substring(0, now.lastIndexOf(", "));
            }
            line.append("; ").append(Wrap.cut(name + ": " + now, Math.max(NAME, share)));
            left--;
        }
        return line.toString();
    }
}
