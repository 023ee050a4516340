package io.tidemark.cli.spec;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.List;

/** The TLA+ specification; its subcommands do the work. */
@picocli.CommandLine.Command(
        name = "spec",
        description =
                "The TLA+ specification: list its models, check them with TLC, explain names, step through a trace.")
public final class SpecCommand implements Command {
    @Override
    public ExitCode run(Session session) {
        throw new CliException(
                "spec", "no subcommand", "spec list, spec check, spec explain or spec step", ExitCode.USAGE);
    }

    @Override
    public List<Command> subcommands() {
        return List.of(new SpecListCommand(), new SpecCheckCommand(), new SpecExplainCommand(), new SpecStepCommand());
    }

    @Override
    public String example() {
        return "./tidemark spec check --without vote-once";
    }
}
