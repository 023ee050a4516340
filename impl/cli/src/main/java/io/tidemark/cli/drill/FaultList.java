package io.tidemark.cli.drill;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.workload.fault.FaultKind;
import io.tidemark.workload.fault.FaultTarget;

/** What {@code --list-faults} shows. */
final class FaultList {
    private FaultList() {}

    static ExitCode publish(Session session) throws InterruptedException {
        Report report = new Report("tidemark.faults/1");
        ArrayNode list = report.body().putArray("faults");
        for (FaultKind kind : FaultKind.values()) {
            ObjectNode node = list.addObject().put("fault", kind.label()).put("effect", kind.effect());
            kind.defaultTargets().forEach(node.putArray("defaultTargets")::add);
        }
        ArrayNode targets = report.body().putArray("targets");
        FaultTarget.NAMES.forEach(targets::add);
        return session.publish(report, out -> {
            TextLines lines = new TextLines(TextLines.width(session));
            for (FaultKind kind : FaultKind.values()) {
                lines.labelled(
                        kind.label(),
                        17,
                        kind.effect() + " (default: @" + String.join(", @", kind.defaultTargets()) + ")");
            }
            lines.labelled("targets", 17, "@" + String.join(", @", FaultTarget.NAMES));
            out.print(lines);
        });
    }
}
