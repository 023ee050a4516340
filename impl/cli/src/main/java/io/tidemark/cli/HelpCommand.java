package io.tidemark.cli;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Session;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code help COMMAND} is {@code COMMAND --help}. */
@CommandLine.Command(name = "help", description = "Show the help of a command, or the list of all.")
final class HelpCommand implements Command {
    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command.")
    @Nullable
    String name;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("help", Set.of("json"));
        CommandLine top = Commands.create(session);
        if (name == null) {
            return Commands.help(top, session);
        }
        CommandLine chosen = top.getSubcommands().get(name);
        if (chosen == null) {
            throw UsageErrors.unknownCommand(top, name);
        }
        return Commands.help(chosen, session);
    }

    @Override
    public String example() {
        return "./tidemark help drill";
    }
}
