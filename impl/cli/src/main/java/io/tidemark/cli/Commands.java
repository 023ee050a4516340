package io.tidemark.cli;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.drill.DrillCommand;
import io.tidemark.cli.history.HistoryCommand;
import io.tidemark.cli.simulate.SimulateCommand;
import io.tidemark.cli.spec.SpecCommand;
import io.tidemark.cli.trace.TraceCommand;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The list of commands, and what all of them have in common on the command line. */
final class Commands {
    private static final Set<ExitCode> OF_ALL = EnumSet.of(
            ExitCode.OK,
            ExitCode.USAGE,
            ExitCode.ENVIRONMENT,
            ExitCode.DEFECT,
            ExitCode.INTERRUPTED,
            ExitCode.TERMINATED);

    private Commands() {}

    /** Every subcommand, in the order of {@code --help}. A new one is added here. */
    static List<Command> all() {
        return List.of(
                new DrillCommand(),
                new ClusterCommand(),
                new ServerCommand(),
                new FormatCommand(),
                new KafkaCommand(),
                new SpecCommand(),
                new SimulateCommand(),
                new TraceCommand(),
                new HistoryCommand(),
                new DoctorCommand(),
                new CompletionCommand(),
                new HelpCommand());
    }

    static CommandLine create(Session session) {
        CommandLine top = new CommandLine(new TopCommand(session.options()));
        all().forEach(command -> add(top, command));
        top.setCaseInsensitiveEnumValuesAllowed(true);
        top.setAbbreviatedOptionsAllowed(false);
        describe(top);
        return top;
    }

    private static void add(CommandLine parent, Command command) {
        CommandLine line = new CommandLine(command);
        command.subcommands().forEach(sub -> add(line, sub));
        parent.addSubcommand(line);
    }

    private static void describe(CommandLine line) {
        Command command = line.getCommand();
        CommandSpec spec = line.getCommandSpec();
        if (spec.findOption("--help") == null) {
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help and exit.")
                    .build());
        }
        if (!command.hasResult()) {
            hide(spec, "--format", "--out");
        }
        if (command instanceof KafkaCommand) {
            // What follows the tool's name is the tool's alone.
            line.setStopAtPositional(true);
        }
        Map<String, String> codes = new LinkedHashMap<>();
        Stream.concat(OF_ALL.stream(), command.furtherExitCodes().stream())
                .distinct()
                .sorted()
                .forEach(code -> codes.put(Integer.toString(code.code()), code.meaning()));
        spec.usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(codes)
                .footerHeading("%n" + HelpText.EXAMPLE + "%n")
                .footer("  " + command.example().replace("./tidemark", Installation.called()));
        line.getSubcommands().values().forEach(Commands::describe);
    }

    /** Options that all commands inherit and this one refuses stay known, for a clear refusal, but are not shown. */
    private static void hide(CommandSpec spec, String... names) {
        for (String name : names) {
            OptionSpec shown = spec.findOption(name);
            if (shown != null) {
                spec.remove(shown);
                spec.addOption(OptionSpec.builder(shown).hidden(true).build());
            }
        }
    }

    /** The help of one command, as text or as a document. */
    static ExitCode help(CommandLine line, Session session) throws InterruptedException {
        Report report = new Report("tidemark.help/1");
        int width = session.terminal().columns();
        report.body()
                .put("name", line.getCommandSpec().qualifiedName())
                .put("help", HelpText.of(line, Ansi.OFF, width));
        return session.publish(report, out -> out.print(HelpText.of(line, ansi(session), width)));
    }

    static Ansi ansi(Session session) {
        return session.colour() ? Ansi.ON : Ansi.OFF;
    }
}
