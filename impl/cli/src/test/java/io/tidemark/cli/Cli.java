package io.tidemark.cli;

import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs the command in this JVM and keeps what it printed. */
public record Cli(ExitCode exitCode, String out, String err) {
    public static final Path ROOT = Path.of(System.getProperty("tidemark.root"));

    public static Cli run(String... arguments) {
        return run(new Installation(ROOT, Optional.empty(), Installation.NODE_MAIN), arguments);
    }

    public static Cli run(Installation installation, String... arguments) {
        return with(installation, List.of(arguments), session -> Main.run(List.of(arguments), session));
    }

    public static Cli with(Installation installation, List<String> arguments, Function<Session, ExitCode> work) {
        return with(installation, arguments, new Terminal(false, false, 80), work);
    }

    static Cli with(
            Installation installation, List<String> arguments, Terminal terminal, Function<Session, ExitCode> work) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Session session = new Session(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                installation,
                terminal);
        ExitCode code = work.apply(session);
        return new Cli(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
