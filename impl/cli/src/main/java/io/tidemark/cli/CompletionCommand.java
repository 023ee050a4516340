package io.tidemark.cli;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Prints a script that teaches a shell our commands and options. */
@picocli.CommandLine.Command(name = "completion", description = "Print a shell's completion script.")
final class CompletionCommand implements Command {
    /** Shells for which there is a script. */
    enum ForShell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    ForShell shell = ForShell.bash;

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("completion", Set.of("json"));
        CommandLine top = Commands.create(session);
        // The script of bash serves zsh as well once zsh's emulation is loaded.
        String start = shell == ForShell.zsh
                ? "#compdef tidemark\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
                : "";
        String script = start + AutoComplete.bash("tidemark", top);
        Report report = new Report("tidemark.completion/1");
        report.body().put("shell", shell.name()).put("script", script);
        return session.publish(report, out -> out.print(script));
    }

    @Override
    public String example() {
        return "source <(./tidemark completion bash)";
    }
}
