package io.tidemark.cli.simulate;

import io.tidemark.cli.contract.Progress;
import io.tidemark.simulation.Minimiser;
import io.tidemark.simulation.Outcome;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Simulation;
import io.tidemark.simulation.Summary;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs seeds side by side, and looks into the first failures. Results are in the order of seeds, whoever ends first. */
final class SimulateRun {
    /**
     * A failure.
     *
     * @param minimised the least plan found that shows it; null where it was not looked for
     * @param cutShort whether the time for that was up before the end: it may not need all that is left
     */
    record Found(
            Outcome outcome,
            Outcome.Failure failure,
            @Nullable Plan minimised,
            boolean cutShort,
            String story) {
        Plan plan() {
            return outcome.did().plan();
        }

        private static Found of(Outcome broken) {
            Outcome.Failure failure = broken.failure();
            if (failure == null) {
                throw new IllegalArgumentException("no failure");
            }
            return new Found(broken, failure, null, false, "");
        }
    }

    /** How long may be spent on making a failure small. */
    static final Duration MINIMISE_LIMIT = Duration.ofMinutes(2);

    /** So many failures are made small and told; further ones only named. */
    private static final int LOOKED_INTO = 1;

    /** Grounds of elections that lose committed records, in words; what a disk tore is no ground alone. */
    private static final Map<String, String> GROUNDS = Map.of(
            "UNCLEAN", "unclean election",
            "LAST_KNOWN", "election of the last known leader",
            "LAST_OF_ISR", "last of the ISR without ELR");

    private final LongFunction<Plan> plans;
    private final long first;
    private final long asked;
    private final int jobs;
    private final Progress progress;
    private final ExecutorService pool;
    private final ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
    /** Outcomes that wait for one of an earlier seed, so that all are added in order. */
    private final TreeMap<Long, Outcome> waiting = new TreeMap<>();

    private final Summary summary = new Summary();
    private final List<Found> found = new ArrayList<>();
    private final Duration minimiseLimit;
    private final long startedNanos = System.nanoTime();
    private long cpuNanos;
    private long wallNanos;
    private long steps;
    private long next;
    private @Nullable Long lossySeed;
    private final TreeMap<String, Integer> lossGrounds = new TreeMap<>();

    SimulateRun(LongFunction<Plan> plans, long first, long asked, int jobs, Duration minimiseLimit, Progress progress) {
        this.plans = plans;
        this.minimiseLimit = minimiseLimit;
        this.first = first;
        this.next = first;
        this.asked = asked;
        this.jobs = jobs;
        this.progress = progress;
        this.pool = Executors.newFixedThreadPool(jobs, task -> {
            Thread thread = new Thread(task, "simulate");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs all seeds, then looks into failures. */
    void run() throws InterruptedException {
        try {
            // As many tasks as jobs, each with every jobs-th seed: nothing piles up for millions of seeds.
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                int offset = i;
                workers.add(pool.submit(() -> {
                    for (long seed = first + offset; seed < first + asked; seed += jobs) {
                        if (Thread.currentThread().isInterrupted()) {
                            return;
                        }
                        add(seed);
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
            wallNanos = System.nanoTime() - startedNanos;
            for (int i = 0; i < Math.min(LOOKED_INTO, found.size()); i++) {
                Found small = lookInto(found.get(i));
                synchronized (this) {
                    found.set(i, small);
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private void add(long seed) {
        long before = cpu.getCurrentThreadCpuTime();
        Outcome outcome = Outcome.of(plans.apply(seed));
        long used = cpu.getCurrentThreadCpuTime() - before;
        synchronized (this) {
            waiting.put(seed, outcome);
            while (waiting.containsKey(next)) {
                settle(waiting.remove(next));
                next++;
            }
            cpuNanos += used;
            steps += outcome.did().steps();
            progress.update(String.format(
                    Locale.ROOT,
                    "simulate: %,d of %,d seeds, %,d events, %d failed",
                    next - first,
                    asked,
                    steps,
                    summary.failed()));
        }
    }

    private void settle(Outcome outcome) {
        Simulation.Result did = outcome.did();
        if (outcome.failure() != null) {
            summary.addFailed(did);
            found.add(Found.of(outcome));
        } else {
            summary.add(did);
            if (did.lost() > 0) {
                allowedLoss(did.plan(), did);
            }
        }
    }

    private void allowedLoss(Plan plan, Simulation.Result result) {
        if (lossySeed == null) {
            lossySeed = plan.seed();
        }
        Set<String> grounds = new TreeSet<>();
        result.losses().keySet().forEach(ground -> {
            String words = GROUNDS.get(ground);
            if (words != null) {
                grounds.add(words);
            }
        });
        int acks = plan.shape().acks;
        if (acks != -1) {
            grounds.add("acks=" + acks);
        }
        grounds.forEach(ground -> lossGrounds.merge(ground, 1, Integer::sum));
    }

    private Found lookInto(Found broken) {
        SideBySide trial = new SideBySide(broken.failure());
        Plan least = new Minimiser(trial).minimise(broken.plan(), broken.failure());
        return new Found(broken.outcome(), broken.failure(), least, trial.cutShort, Outcome.story(least));
    }

    /** Tries as many plans at once as there are jobs, until the time is up. */
    private final class SideBySide implements Minimiser.Trial {
        private final Outcome.Failure failure;
        private final long deadlineNanos = System.nanoTime() + minimiseLimit.toNanos();
        private int tried;
        private boolean cutShort;

        SideBySide(Outcome.Failure failure) {
            this.failure = failure;
        }

        @Override
        public int firstFailing(List<Plan> candidates) {
            for (int from = 0; from < candidates.size() && !timeIsUp(); from += jobs) {
                List<Future<Boolean>> answers = new ArrayList<>();
                for (Plan plan : candidates.subList(from, Math.min(candidates.size(), from + jobs))) {
                    answers.add(pool.submit(() -> Minimiser.fails(plan, failure)));
                }
                tried += answers.size();
                progress.update("simulate: making the failure small, " + tried + " runs");
                for (int i = 0; i < answers.size(); i++) {
                    if (answer(answers.get(i))) {
                        return from + i;
                    }
                }
            }
            return -1;
        }

        private boolean answer(Future<Boolean> future) {
            try {
                return future.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        @Override
        public boolean timeIsUp() {
            boolean up =
                    System.nanoTime() > deadlineNanos || Thread.currentThread().isInterrupted();
            cutShort |= up;
            return up;
        }
    }

    /** All runs so far, up to the first that has not ended. */
    synchronized Summary summary() {
        return summary;
    }

    /** The first seed that lost acknowledged records as its settings allow; null where none did. */
    synchronized @Nullable Long lossySeed() {
        return lossySeed;
    }

    /** What allowed losses: of each ground the number of seeds that lost something and had it. */
    synchronized SortedMap<String, Integer> lossGrounds() {
        return new TreeMap<>(lossGrounds);
    }

    /** Failures in the order of their seeds; those that were not looked into yet, too. */
    synchronized List<Found> found() {
        return List.copyOf(found);
    }

    /** How seeds failed, in their order. */
    synchronized List<Outcome.Failure> failures() {
        return found.stream().map(Found::failure).toList();
    }

    /** The plan of the first seed that was run. */
    Plan firstPlan() {
        return plans.apply(first);
    }

    /** Steps for each second of processor time, the making of plans and the comparison of logs included. */
    synchronized long eventsPerCpuSecond() {
        return cpuNanos == 0 ? 0 : Math.round(steps * 1e9 / cpuNanos);
    }

    /** Virtual time over the wall clock's, all jobs together. */
    synchronized double realTimeFactor() {
        long nanos = wallNanos == 0 ? System.nanoTime() - startedNanos : wallNanos;
        return summary.simulatedMs() * 1e6 / nanos;
    }
}
