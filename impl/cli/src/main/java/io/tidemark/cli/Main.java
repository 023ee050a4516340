package io.tidemark.cli;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The process behind {@code ./tidemark}. Ends with {@link ExitCode#processStatus()}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        start(List.of(arguments), Installation.current());
    }

    /** Does everything and ends the JVM. */
    static void start(List<String> arguments, Installation installation) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Interruption.install();
        ExitCode code = run(arguments, new Session(arguments, out, err, installation, Terminal.current()));
        out.flush();
        System.exit(code.processStatus());
    }

    /** Parses and runs one command; never throws. */
    static ExitCode run(List<String> arguments, Session session) {
        return guarded(() -> runOrThrow(arguments, session), session);
    }

    /** Whatever is thrown becomes one line, and a document where one was asked for. */
    static ExitCode guarded(Callable<ExitCode> work, Session session) {
        try {
            return work.call();
        } catch (Throwable e) {
            try {
                return session.fail(asError(e, session));
            } catch (InterruptedException again) {
                return ExitCode.INTERRUPTED;
            }
        }
    }

    private static ExitCode runOrThrow(List<String> arguments, Session session) throws Exception {
        CommandLine top = Commands.create(session);
        CommandLine.ParseResult parsed;
        try {
            parsed = top.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            if (UsageErrors.jsonWanted(arguments)) {
                session.options().format = CommonOptions.Format.json;
            }
            throw UsageErrors.explain(e);
        }
        while (parsed.hasSubcommand() && !parsed.isUsageHelpRequested() && !parsed.isVersionHelpRequested()) {
            parsed = parsed.subcommand();
        }
        CommandLine chosen = parsed.commandSpec().commandLine();
        if (!parsed.unmatched().isEmpty()) {
            // picocli lets all pass where help or the version is asked for.
            throw UsageErrors.unmatched(chosen, parsed.unmatched().get(0));
        }
        if (parsed.isUsageHelpRequested()) {
            return Commands.help(chosen, session);
        }
        if (parsed.isVersionHelpRequested()) {
            return VersionResult.publish(session);
        }
        Command command = chosen.getCommand();
        return command.run(session);
    }

    private static CliException asError(Throwable thrown, Session session) {
        if (thrown instanceof CliException known) {
            return known;
        }
        ExitCode interrupted = Interruption.cause();
        if (thrown instanceof InterruptedException && interrupted != null) {
            return new CliException("tidemark", "interrupted", "nothing; start it again", interrupted);
        }
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        if (session.options().debug) {
            session.err().print(trace);
        }
        return new CliException(
                "internal error",
                thrown.toString().lines().findFirst().orElse("unknown"),
                "please report it with " + writeTrace(trace.toString(), session),
                ExitCode.DEFECT,
                "INTERNAL",
                null);
    }

    private static String writeTrace(String trace, Session session) {
        try {
            Path dir = session.installation().state();
            Files.createDirectories(dir);
            return Files.writeString(Files.createTempFile(dir, "error-", ".txt"), trace)
                    .toString();
        } catch (IOException e) {
            try {
                return Files.writeString(Files.createTempFile("tidemark-error-", ".txt"), trace)
                        .toString();
            } catch (IOException again) {
                return "--debug, which prints the stack trace";
            }
        }
    }
}
