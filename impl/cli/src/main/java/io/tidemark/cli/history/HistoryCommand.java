package io.tidemark.cli.history;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.List;

/** What clients saw, checked; its subcommands do the work. */
@picocli.CommandLine.Command(
        name = "history",
        description = {
            "A history is what clients saw: a line of EDN for each invocation and each completion, in the shape of Jepsen's"
                    + " histories. A drill leaves one."
        })
public final class HistoryCommand implements Command {
    @Override
    public ExitCode run(Session session) {
        throw new CliException("history", "no subcommand", "history check or history generate", ExitCode.USAGE);
    }

    @Override
    public List<Command> subcommands() {
        return List.of(new HistoryCheckCommand(), new HistoryGenerateCommand());
    }

    @Override
    public String example() {
        return "./tidemark history check history.edn";
    }
}
