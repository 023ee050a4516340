package io.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Shell;
import io.tidemark.history.knossos.KnossosClassPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What this machine can run, and how to get what is missing. */
@picocli.CommandLine.Command(
        name = "doctor",
        description = "Show what this machine can run, and how to get what is missing. Changes nothing.")
final class DoctorCommand implements Command {
    private static final Duration LIMIT = Duration.ofSeconds(8);

    /**
     * One look.
     *
     * @param required whether drill, cluster and spec need it
     * @param found what is there, null if it is missing or does not run
     * @param trouble what is wrong with what is there, null where nothing is or nothing is there
     * @param neededFor what cannot be done without it
     * @param get how to get it
     */
    record Check(
            String name,
            boolean required,
            @Nullable String found,
            @Nullable String trouble,
            String neededFor,
            String get) {
        Check(String name, boolean required, @Nullable String found, String neededFor, String get) {
            this(name, required, found, null, neededFor, get);
        }

        /** What is there, or what is wrong with it. */
        String state() {
            return found == null
                    ? Objects.requireNonNullElse(trouble, "missing")
                    : found + (trouble == null ? "" : ", " + trouble);
        }
    }

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("doctor", Set.of("json"));
        List<Check> checks = checks(session.installation().state());
        Report report = new Report("tidemark.doctor/1");
        ArrayNode list = report.body().putArray("checks");
        for (Check check : checks) {
            list.addObject()
                    .put("name", check.name)
                    .put("required", check.required)
                    .put("found", check.found)
                    .put("trouble", check.trouble)
                    .put("neededFor", check.neededFor)
                    .put("get", check.get);
        }
        return session.publish(report, out -> lines(checks).forEach(out::println));
    }

    /** First whether the main commands can run, then what they need, then what is optional. */
    static List<String> lines(List<Check> checks) {
        List<String> missing = checks.stream()
                .filter(check -> check.required && check.found == null)
                .map(Check::name)
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(
                missing.isEmpty()
                        ? "All that drill, cluster and spec need is here."
                        : "Missing for drill, cluster and spec: " + String.join(", ", missing));
        checks.stream().filter(Check::required).forEach(check -> line(check, lines));
        lines.add("Optional:");
        checks.stream().filter(check -> !check.required).forEach(check -> line(check, lines));
        return lines;
    }

    private static void line(Check check, List<String> lines) {
        lines.add(String.format(Locale.ROOT, "  %-9s %s (for %s)", check.name, check.state(), check.neededFor));
        if (check.found == null) {
            lines.add("            get it: " + check.get);
        }
    }

    // All at once: a Docker engine that hangs makes nothing else wait.
    private static List<Check> checks(Path state) {
        Map<String, Supplier<Check>> looks = new LinkedHashMap<>();
        looks.put(
                "JDK",
                () -> new Check(
                        "JDK",
                        true,
                        Runtime.version().toString(),
                        "everything",
                        "apt-get install openjdk-17-jdk-headless"));
        looks.put("kill", DoctorCommand::kill);
        looks.put(
                "state",
                () -> new Check(
                        "state",
                        true,
                        writable(state) ? state.toString() : null,
                        "data and results of runs",
                        "make " + state + " writable"));
        look(looks, "Maven", "building, and fetching Kafka's tools", "apt-get install maven", "mvn", "-version");
        look(looks, "git", "the commit in reports", "apt-get install git", "git", "--version");
        look(
                looks,
                "Docker",
                "containers",
                "apt-get install docker.io, then start dockerd",
                "docker",
                "info",
                "--format",
                "engine {{.ServerVersion}}");
        look(looks, "kcat", "trying a second client", "apt-get install kcat", "kcat", "-V");
        looks.put(
                "Knossos",
                () -> new Check(
                        "Knossos",
                        false,
                        knossos(),
                        "a third opinion on histories",
                        "set " + KnossosClassPath.VARIABLE + ", see docs/knossos.md"));
        look(looks, "Chromium", "looking at pages, in tests", "apt-get install chromium", "chromium", "--version");
        look(
                looks,
                "XFS",
                "real power loss on a loop-mounted file system",
                "apt-get install xfsprogs, run as root",
                "mkfs.xfs",
                "-V");
        List<CompletableFuture<Check>> running =
                looks.values().stream().map(CompletableFuture::supplyAsync).toList();
        return running.stream().map(CompletableFuture::join).toList();
    }

    private static void look(
            Map<String, Supplier<Check>> looks, String name, String neededFor, String get, String... command) {
        looks.put(name, () -> check(LIMIT, name, neededFor, get, command));
    }

    private static @Nullable String knossos() {
        try {
            KnossosClassPath.find(null, System.getenv(KnossosClassPath.VARIABLE));
            return "on the class path";
        } catch (KnossosClassPath.MissingException e) {
            return null;
        }
    }

    private static Shell.Answer ask(Duration limit, String... command) {
        try {
            return Shell.answer(limit, List.of(command));
        } catch (InterruptedException e) {
            return new Shell.Answer(Shell.End.LATE, "");
        }
    }

    /** Whether files can be made there, or the directory where it is not there yet. */
    private static boolean writable(Path state) {
        Path parent = state.getParent();
        return Files.exists(state) ? Files.isWritable(state) : parent != null && Files.isWritable(parent);
    }

    /** Whether nodes can be frozen: what {@code kill -l} prints has no version to look for. */
    private static Check kill() {
        Check check = check(LIMIT, "kill", "freezing nodes", "apt-get install procps", output -> "here", "kill", "-l");
        return new Check(check.name, true, check.found, check.trouble, check.neededFor, check.get);
    }

    /** A program by the version that it names. */
    static Check check(Duration limit, String name, String neededFor, String get, String... command) {
        return check(limit, name, neededFor, get, DoctorCommand::version, command);
    }

    /**
     * A program that is only slow to answer, as on a busy machine, is here all the same; but docker answers for its
     * engine, and without an answer there is none to work with.
     */
    private static Check check(
            Duration limit,
            String name,
            String neededFor,
            String get,
            Function<String, @Nullable String> found,
            String... command) {
        Shell.Answer answer = ask(limit, command);
        String asked = "'" + command[0] + " " + command[1] + "'";
        String late = "no answer to " + asked + " within " + limit.toSeconds() + " s";
        return switch (answer.end()) {
            case ABSENT -> new Check(name, false, null, null, neededFor, get);
            case REFUSED -> new Check(name, false, null, "here, but " + asked + " fails", neededFor, get);
            case LATE ->
                command[0].equals("docker")
                        ? new Check(name, false, null, "here, but " + late, neededFor, get)
                        : new Check(name, false, "here", late, neededFor, get);
            case ANSWERED -> {
                String version = found.apply(answer.output());
                String trouble = version == null ? "here, but " + asked + " names no version" : null;
                yield new Check(name, false, version, trouble, neededFor, get);
            }
        };
    }

    /** The first line with a version. */
    private static @Nullable String version(String output) {
        return output.lines()
                .filter(line -> line.matches(".*\\d\\.\\d.*") && !line.contains("://"))
                .findFirst()
                .map(line -> line.replaceAll("\u001B\\[[0-9;]*m", "").strip())
                .orElse(null);
    }

    @Override
    public String example() {
        return "./tidemark doctor";
    }
}
