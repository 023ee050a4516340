package io.tidemark.cli;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark} alone: three commands to start with. */
@picocli.CommandLine.Command(
        name = "tidemark",
        synopsisSubcommandLabel = "COMMAND",
        description = "A formally specified log that speaks the Kafka protocol.")
final class TopCommand implements Command {
    private static final List<String> START = List.of(
            "%s drill                 kill and freeze real nodes under load: was anything acknowledged lost?",
            "%s cluster --nodes 3     start three nodes on this machine, until Ctrl-C",
            "%s kafka topics --help   use Kafka's own tools, here the one for topics");

    @Mixin
    final CommonOptions options;

    @Option(names = "--version", versionHelp = true, description = "Show what this build consists of and exit.")
    boolean version;

    TopCommand(CommonOptions options) {
        this.options = options;
    }

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        Report report = new Report("tidemark.start/1");
        List<String> start = START.stream()
                .map(line -> line.replace("%s", Installation.called()))
                .toList();
        start.forEach(report.body().putArray("start")::add);
        return session.publish(report, out -> {
            out.println("Tidemark, a formally specified log that speaks the Kafka protocol. Start with:");
            start.forEach(line -> out.println("  " + line));
            out.println("All commands: " + Installation.called() + " --help");
        });
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark cluster --nodes 3";
    }
}
