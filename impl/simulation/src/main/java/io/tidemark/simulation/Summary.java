package io.tidemark.simulation;

import io.tidemark.core.SpecAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** What many runs did together. Runs are added in the order of their seeds: the hash depends on it. */
public final class Summary {
    private static final int ENOUGH_SEEDS = 10;

    private final EnumMap<Fault, Effects.Count> faults = new EnumMap<>(Fault.class);
    private final TreeMap<String, Integer> events = new TreeMap<>();
    private final TreeMap<String, Integer> losses = new TreeMap<>();
    private final TreeMap<String, Long> taken = new TreeMap<>();
    private int runs;
    private int failed;
    private int idle;
    private int lossySeeds;
    private long lostRecords;
    private long steps;
    private long simulatedMs;
    private long acknowledged;
    private long hash;
    private String onlyHash = "";

    /** Adds a run that broke nothing. */
    public void add(Simulation.Result result) {
        did(result);
        result.losses().forEach((ground, count) -> losses.merge(ground, count, Integer::sum));
        idle += result.acknowledged() == 0 ? 1 : 0;
        lossySeeds += result.lost() > 0 ? 1 : 0;
        lostRecords += result.lost();
        onlyHash = result.traceHash();
        hash = hash * 0x100000001b3L + Long.parseUnsignedLong(result.traceHash(), 16);
    }

    /** Adds a run that failed: what it did until then counts; its losses and its hash do not. */
    public void addFailed(Simulation.Result soFar) {
        failed++;
        did(soFar);
    }

    private void did(Simulation.Result result) {
        runs++;
        result.faults().forEach(count -> faults.merge(count.fault(), count, Effects.Count::plus));
        result.events().forEach((name, count) -> events.merge(name, count, Integer::sum));
        result.taken().forEach((action, count) -> taken.merge(action, count, Long::sum));
        acknowledged += result.acknowledged();
        steps += result.steps();
        simulatedMs += result.simulatedMs();
    }

    public int runs() {
        return runs;
    }

    public int failed() {
        return failed;
    }

    /** Runs that came to their end, where every log is compared: of others nobody knows what they lost. */
    public int compared() {
        return runs - failed;
    }

    /** Runs in which nothing was acknowledged, of those that broke nothing. */
    public int idle() {
        return idle;
    }

    /** Runs in which acknowledged values were lost as the settings allow. */
    public int lossySeeds() {
        return lossySeeds;
    }

    /** Acknowledged values that were lost as the settings allow. */
    public long lostRecords() {
        return lostRecords;
    }

    /** Acknowledged values. */
    public long acknowledged() {
        return acknowledged;
    }

    /** Inputs that cores were given. */
    public long steps() {
        return steps;
    }

    /** Virtual time, all runs. */
    public long simulatedMs() {
        return simulatedMs;
    }

    /** Of one run its own, of several one of theirs in the order added. */
    public String traceHash() {
        return runs - failed == 1 ? onlyHash : String.format(Locale.ROOT, "%016x", hash);
    }

    /** One for each fault that began. */
    public List<Effects.Count> faults() {
        return List.copyOf(faults.values());
    }

    /** What operators did, and rare moments, by name. */
    public SortedMap<String, Integer> events() {
        return events;
    }

    /** Committed records that were lost as the settings allow, by the ground; see {@link Exposure}. */
    public SortedMap<String, Integer> losses() {
        return losses;
    }

    /** Of how many partitions nothing was judged any more: disks that lied made eligible brokers hold old records. */
    public int misled() {
        return losses.getOrDefault(Exposure.MISLED, 0);
    }

    /** How often each spec action was taken. */
    public SortedMap<String, Long> taken() {
        return taken;
    }

    /** Spec actions that no run took. */
    public List<String> untaken() {
        return Arrays.stream(SpecAction.values())
                .map(Enum::name)
                .filter(action -> !taken.containsKey(action))
                .toList();
    }

    /** What of the evidence is missing: what ran shows nothing where this is not empty. One line each. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Effects.Count count : faults()) {
            if (count.effective() == 0) {
                missing.add(count.fault().label() + " began " + count.injected() + " times and never had an effect");
            }
        }
        if (runs >= ENOUGH_SEEDS ? idle > runs / 10 : runs > 0 && idle == runs) {
            missing.add("nothing was acknowledged in " + idle + " of " + runs + " seeds");
        }
        return missing;
    }

    @Override
    public String toString() {
        return runs + " seeds, " + failed + " failed, " + idle + " idle, " + acknowledged + " acknowledged, "
                + lostRecords
                + " lost as allowed in " + lossySeeds + " seeds by " + losses + "; " + faults() + "; " + events
                + "; actions not taken " + untaken();
    }
}
