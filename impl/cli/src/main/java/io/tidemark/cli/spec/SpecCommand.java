package io.tidemark.cli.spec;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The TLA+ specification; its subcommands do the work. */
@picocli.CommandLine.Command(
        name = "spec",
        description = {
            "The TLA+ specification: list its models, check them with TLC, explain names, step through a trace.",
            "A model is the specification within small bounds, and everything must hold. A mutant has a guard (a rule that"
                    + " prevents a known bug) or another part taken away, and a property must break. Its control has the same"
                    + " bounds with nothing taken away. A reach is a situation that must be possible, written as the claim"
                    + " that it never comes, which must break."
        })
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
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec check --without vote-once";
    }
}
