package io.tidemark.cli.trace;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.List;

/** Traces of the code and behaviours of the specification, each held against the other; its subcommands do the work. */
@picocli.CommandLine.Command(
        name = "trace",
        description = {
            "A trace is what nodes did: a line of JSON for every step, with what changed of the variables that the"
                    + " specification has too; TLC follows it. A counterexample of TLC is taken by real cores."
        })
public final class TraceCommand implements Command {
    @Override
    public ExitCode run(Session session) {
        throw new CliException("trace", "no subcommand", "trace validate or trace replay", ExitCode.USAGE);
    }

    @Override
    public List<Command> subcommands() {
        return List.of(new TraceValidateCommand(), new TraceReplayCommand());
    }

    @Override
    public String example() {
        return "./tidemark trace validate run.ndjson";
    }
}
