package io.tidemark.cli;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.ToolInfo;
import java.util.Objects;

/** {@code --version}. */
final class VersionResult {
    private VersionResult() {}

    static ExitCode publish(Session session) throws InterruptedException {
        ToolInfo tool = ToolInfo.of(session.installation());
        return session.publish(new Report("tidemark.version/1"), out -> {
            out.println("tidemark       " + tool.version());
            out.println("commit         " + Objects.requireNonNullElse(tool.commit(), "unknown"));
            out.println("spec           " + Objects.requireNonNullElse(tool.specHash(), "none in this build"));
            out.println("TLC            " + Objects.requireNonNullElse(tool.tlc(), "none in this build"));
            out.println("kafka-clients  " + Objects.requireNonNullElse(tool.kafkaClients(), "unknown"));
            out.println("Java           " + tool.java());
        });
    }
}
