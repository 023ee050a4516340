package io.tidemark.cli.trace;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.List;

/** Traces of the specification and of the code; its subcommands do the work. */
@picocli.CommandLine.Command(
        name = "trace",
        description = "Behaviours of the specification on the code: take a counterexample of TLC on real cores.")
public final class TraceCommand implements Command {
    @Override
    public ExitCode run(Session session) {
        throw new CliException("trace", "no subcommand", "trace replay", ExitCode.USAGE);
    }

    @Override
    public List<Command> subcommands() {
        return List.of(new TraceReplayCommand());
    }

    @Override
    public String example() {
        return "./tidemark trace replay .tidemark/spec/counterexamples/without-vote-once-0123abcd.itf.json";
    }
}
