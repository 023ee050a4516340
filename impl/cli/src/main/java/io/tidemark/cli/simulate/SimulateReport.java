package io.tidemark.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.simulation.Effects;
import io.tidemark.simulation.Outcome;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Summary;
import io.tidemark.simulation.Turn;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What {@code simulate} says, as a document and as text. */
final class SimulateReport {
    private static final int LAST_STEPS = 40;
    private static final List<String> NOT_TESTED = List.of(
            "sockets, threads and a real file system: the node's own code for them does not run here",
            "changes of the voters, consumer groups, transactions: the core has none yet");

    private final SimulateRun run;
    private final SimulateVerdict verdict;
    private final List<String> command;

    /** @param command the command line as it was given */
    SimulateReport(SimulateRun run, SimulateVerdict verdict, List<String> command) {
        this.run = run;
        this.verdict = verdict;
        this.command = command;
    }

    // ---- Replay

    /** The command line that runs one seed again, with what else was given. */
    private String replay(long seed, String more) {
        StringBuilder line = new StringBuilder(Installation.called() + " simulate --seed " + seed);
        boolean skip = true;
        for (int i = 0; i < command.size(); i++) {
            String word = command.get(i);
            if (skip) {
                skip = !word.equals("simulate");
                continue;
            }
            String name = word.replaceFirst("=.*", "");
            boolean ours = List.of(
                            "--seed", "--seeds", "--jobs", "--format", "--out", "--only-turns", "--only-partitions")
                    .contains(name);
            if (!ours) {
                line.append(' ').append(word);
            } else if (!word.contains("=")) {
                i++;
            }
        }
        return line + more;
    }

    /** The command line that runs the least plan that fails. */
    private String replay(Plan whole, Plan least) {
        String turns = IntStream.rangeClosed(1, whole.turns().size())
                .filter(i -> least.turns().contains(whole.turns().get(i - 1)))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        String written = least.written().stream().map(String::valueOf).collect(Collectors.joining(","));
        return replay(
                whole.seed(), " --only-turns " + (turns.isEmpty() ? "0" : turns) + " --only-partitions " + written);
    }

    // ---- Document

    Report document(long first, long asked) {
        Report report =
                new Report("tidemark.simulate/1").verdict(verdict.verdict()).exit(verdict.exitCode());
        verdict.reasons().forEach(reason -> report.reason(reason.code(), reason.message()));
        notTested().forEach(report::notTested);
        Summary summary = run.summary();
        ObjectNode body = report.body();
        body.putObject("seeds")
                .put("first", first)
                .put("asked", asked)
                .put("run", summary.runs())
                .put("failed", summary.failed());
        body.put("shape", asked == 1 ? run.firstPlan().shape().toString() : null)
                .put("simulatedMs", summary.simulatedMs())
                .put("events", summary.steps())
                .put("eventsPerCpuSecond", run.eventsPerCpuSecond())
                .put("realTimeFactor", Math.round(run.realTimeFactor() * 10) / 10.0)
                .put("traceHash", summary.runs() == summary.failed() ? null : summary.traceHash())
                .put("acknowledged", summary.acknowledged());
        ArrayNode faults = body.putArray("faults");
        summary.faults()
                .forEach(count -> faults.addObject()
                        .put("fault", count.fault().label())
                        .put("injected", count.injected())
                        .put("effective", count.effective()));
        ArrayNode actions = body.putArray("actions");
        summary.taken()
                .forEach((name, taken) -> actions.addObject().put("name", name).put("taken", taken));
        summary.untaken().forEach(body.putArray("untakenActions")::add);
        body.putObject("allowedLosses")
                .put("seeds", summary.lossySeeds())
                .put("records", summary.lostRecords())
                .put("compared", summary.compared())
                .put("firstSeed", run.lossySeed());
        ObjectNode grounds = body.putObject("lossGrounds");
        summary.losses().forEach(grounds::put);
        ArrayNode failures = body.putArray("failures");
        run.found().forEach(found -> failure(failures.addObject(), found));
        return report;
    }

    private void failure(ObjectNode node, SimulateRun.Found found) {
        Outcome.Failure failure = found.failure();
        Plan plan = found.plan();
        Plan least = found.minimised();
        node.put("seed", plan.seed())
                .put("check", failure.check())
                .put("kind", failure.kind())
                .put("message", failure.message())
                .put("step", found.outcome().did().steps())
                .put("virtualMs", found.outcome().did().simulatedMs())
                .put("replay", replay(plan.seed(), ""))
                .putNull("trace");
        if (least == null) {
            node.putNull("minimised");
        } else {
            ObjectNode small = node.putObject("minimised");
            small.put("from", plan.turns().size()).put("cutShort", found.cutShort());
            least.turns().stream().map(Turn::toString).forEach(small.putArray("turns")::add);
            least.written().forEach(small.putArray("partitions")::add);
            small.put("replay", replay(plan, least));
        }
        lastSteps(found).forEach(node.putArray("story")::add);
    }

    private static List<String> lastSteps(SimulateRun.Found found) {
        if (found.story().isEmpty()) {
            return List.of();
        }
        List<String> lines = Arrays.asList(found.story().split("\n", -1));
        return lines.subList(Math.max(0, lines.size() - LAST_STEPS), lines.size());
    }

    // ---- Text

    /** Two digits of a small one: a slow machine's is not 0. */
    static String factor(double times) {
        return String.format(Locale.ROOT, times < 0.995 ? "%.2f" : times < 9.95 ? "%.1f" : "%,.0f", times);
    }

    void print(PrintStream out, long first, long asked) {
        Summary summary = run.summary();
        out.println(verdict.verdict() + ": " + summary.runs() + " of " + asked + " seeds from " + first + ", "
                + summary.failed() + " failed; " + evidence() + allowedLoss());
        verdict.reasons().forEach(reason -> out.println("  " + reason.message()));
        run.found().forEach(found -> print(out, found));
        if (asked == 1) {
            out.println("shape         " + run.firstPlan().shape());
        }
        out.printf(
                Locale.ROOT,
                "simulated     %,d s, %,d events, %,d events per CPU second, %s times real time%n",
                summary.simulatedMs() / 1_000,
                summary.steps(),
                run.eventsPerCpuSecond(),
                factor(run.realTimeFactor()));
        out.println("records       " + records());
        Long lossy = run.lossySeed();
        if (lossy != null && asked > 1) {
            out.println("lost in seed  " + lossy + ", for one: " + replay(lossy, ""));
        }
        out.println("faults        "
                + (summary.faults().isEmpty()
                        ? "none"
                        : "effective of injected: "
                                + summary.faults().stream()
                                        .map(SimulateReport::effective)
                                        .collect(Collectors.joining(", "))));
        out.println("actions       " + summary.taken().size() + " taken, untaken: "
                + (summary.untaken().isEmpty() ? "none" : String.join(", ", summary.untaken())));
        if (summary.runs() > summary.failed()) {
            out.println("trace hash    " + summary.traceHash());
        }
        notTested().forEach(line -> out.println("not tested    " + line));
    }

    private List<String> notTested() {
        int misled = run.summary().misled();
        return misled == 0
                ? NOT_TESTED
                : Stream.concat(
                                NOT_TESTED.stream(),
                                Stream.of("what became of " + misled + (misled == 1 ? " partition" : " partitions")
                                        + " after a disk that had lied about fsyncs gave a broker old records back below"
                                        + " newer ones: no replica can see that"))
                        .toList();
    }

    /** How much was seen: a verdict on a handful of records says little. */
    private String evidence() {
        Summary summary = run.summary();
        int injected =
                summary.faults().stream().mapToInt(Effects.Count::injected).sum();
        int effective =
                summary.faults().stream().mapToInt(Effects.Count::effective).sum();
        return String.format(
                Locale.ROOT,
                "%,d records acknowledged, %s",
                summary.acknowledged(),
                injected == 0
                        ? "no faults"
                        : String.format(Locale.ROOT, "%,d of %,d faults effective", effective, injected));
    }

    private static String effective(Effects.Count count) {
        return count.fault().label() + " " + count.effective() + "/" + count.injected();
    }

    private String records() {
        Summary summary = run.summary();
        String acknowledged = String.format(Locale.ROOT, "%,d acknowledged; ", summary.acknowledged());
        if (summary.compared() == 0) {
            return acknowledged + "how many of them were lost is unknown: no seed came to its end";
        }
        return acknowledged
                + String.format(
                        Locale.ROOT,
                        "%,d of them lost in %s as the settings allow%s",
                        summary.lostRecords(),
                        seeds(summary.lossySeeds()),
                        summary.failed() == 0 ? "" : ", unknown in " + seeds(summary.failed()) + " that failed");
    }

    /** The end of the headline where records were lost and nothing failed by it: nobody shall miss it. */
    private String allowedLoss() {
        Summary summary = run.summary();
        if (summary.lostRecords() == 0) {
            return "";
        }
        String grounds = run.lossGrounds().entrySet().stream()
                .map(ground -> ground.getKey() + " in " + seeds(ground.getValue()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "; %,d of %,d acknowledged lost in %s as the settings allow (%s)",
                summary.lostRecords(),
                summary.acknowledged(),
                seeds(summary.lossySeeds()),
                grounds);
    }

    private static String seeds(int count) {
        return count + (count == 1 ? " seed" : " seeds");
    }

    private void print(PrintStream out, SimulateRun.Found found) {
        Outcome.Failure failure = found.failure();
        Plan plan = found.plan();
        out.println("seed " + plan.seed() + ": " + failure.check() + " at event "
                + found.outcome().did().steps() + ", after "
                + found.outcome().did().simulatedMs() + " ms: " + failure.message());
        out.println("  replay: " + replay(plan.seed(), ""));
        Plan least = found.minimised();
        if (least != null) {
            out.println("  needs " + (found.cutShort() ? "at most " : "")
                    + least.turns().size() + " of "
                    + plan.turns().size() + " turns"
                    + (found.cutShort() ? " (the time to make it small was up before all were tried)" : "") + ": "
                    + least.turns() + ", load on partitions " + least.written());
            out.println("  replay: " + replay(plan, least));
            out.println("  its last steps:");
            lastSteps(found).forEach(line -> out.println("    " + line));
        }
    }
}
