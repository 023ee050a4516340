package io.tidemark.cli.drill;

import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogVerdict;
import io.tidemark.workload.Recorder;
import io.tidemark.workload.fault.FaultRecord;
import java.util.List;

/** A drill's report as Markdown, for a build's summary. */
final class DrillMarkdown {
    private final StringBuilder out = new StringBuilder();

    private DrillMarkdown() {}

    static String of(DrillConfig config, DrillOutcome outcome, DrillVerdict verdict) {
        DrillMarkdown page = new DrillMarkdown();
        page.line("# Drill: " + verdict.verdict());
        page.line("");
        page.line(DrillText.headline(config, outcome, verdict) + ".");
        page.line("");
        verdict.reasons().forEach(reason -> page.line("- **" + reason.code() + "**: " + text(reason.message())));
        page.facts(config, outcome);
        page.faults(outcome);
        page.line("Settings: " + DrillText.settings(config, outcome) + ".");
        page.line("");
        page.line("Not tested: " + String.join("; ", DrillText.NEVER_TESTED) + ".");
        page.line("");
        DrillText.TERMS.forEach(term -> page.line("- " + text(term)));
        return page.out.toString();
    }

    private void facts(DrillConfig config, DrillOutcome outcome) {
        Recorder.Totals totals = outcome.totals();
        line("");
        row("measured", "");
        row("---", "---:");
        row("acknowledged", DrillText.count(totals.acknowledged()) + " of " + DrillText.count(totals.attempted()));
        row("acknowledged while a fault was active", DrillText.count(totals.acknowledgedDuringFaults()));
        row("lost (RPO)", outcome.inWords(AnomalyType.LOST));
        if (outcome.log().count(AnomalyType.DUPLICATE) > 0) {
            row(
                    "duplicated",
                    outcome.inWords(AnomalyType.DUPLICATE) + " (" + Permit.inWords(config, AnomalyType.DUPLICATE)
                            + ")");
        }
        row("inconsistent reads", DrillText.found(outcome, AnomalyType.Group.INCONSISTENT_READ));
        row("contradicted acknowledgements", DrillText.found(outcome, AnomalyType.Group.INCONSISTENT_ACKNOWLEDGEMENT));
        row("out of order", DrillText.found(outcome, AnomalyType.Group.ORDER));
        row("replica differences", DrillText.found(outcome, AnomalyType.Group.REPLICA));
        boolean measured = !outcome.effectiveFaults().isEmpty();
        row("RTO, worst", measured ? DrillText.millis(outcome.rto().worstMs()) : "no fault took effect");
        row("RTO, median", measured ? DrillText.millis(outcome.rto().medianMs()) : "no fault took effect");
        LogVerdict.Counts counts = outcome.log().counts();
        row(
                "final read",
                text(outcome.finalRead().inWords(counts.acknowledged() - counts.unjudged(), totals.acknowledged())));
        row("replicas", text(outcome.replicas().inWords(config.replicationFactor())));
        Coverage coverage = Coverage.of(config, outcome);
        row("faults", coverage.inWords(outcome));
        coverage.notTested().forEach(what -> row("not tested", what));
        row("machine", outcome.machine().inWords());
        line("");
    }

    private void faults(DrillOutcome outcome) {
        if (outcome.faults().isEmpty()) {
            return;
        }
        row("fault", "at s", "for s", "RTO ms", "gap ms", "heal ms", "lost", "effect", "evidence");
        row("---", "---:", "---:", "---:", "---:", "---:", "---:", "---", "---");
        for (int i = 0; i < outcome.faults().size(); i++) {
            FaultRecord fault = outcome.faults().get(i);
            Long rto = outcome.times().get(i).rtoMs();
            Long lost = outcome.lostBy(fault);
            row(
                    "`" + fault.fault() + "@" + fault.target() + "`",
                    DrillText.seconds(fault.startNanos()),
                    DrillText.seconds(fault.endNanos() - fault.startNanos()),
                    rto == null ? "never" : DrillText.count(rto),
                    DrillText.count(outcome.times().get(i).unavailabilityMs()),
                    DrillText.heal(fault),
                    lost == null ? "unknown" : DrillText.count(lost),
                    fault.effective() ? "yes" : "**no**",
                    text(fault.evidence()));
        }
        line("");
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", List.of(cells)) + " |");
    }

    /** What stands in messages must not become markup. */
    private static String text(String plain) {
        return plain.replace("|", "\\|").replace("<", "&lt;").replace('\n', ' ');
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
