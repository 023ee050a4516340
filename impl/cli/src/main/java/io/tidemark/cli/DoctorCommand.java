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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
     * @param found what is there, null if it is missing
     * @param neededFor what cannot be done without it
     * @param get how to get it
     */
    record Check(String name, boolean required, @Nullable String found, String neededFor, String get) {}

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
        lines.add(String.format(
                Locale.ROOT,
                "  %-9s %s (for %s)",
                check.name,
                check.found == null ? "missing" : check.found,
                check.neededFor));
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
        looks.put(
                "kill",
                () -> new Check(
                        "kill",
                        true,
                        ask("kill", "-l").map(signals -> "here").orElse(null),
                        "freezing nodes",
                        "apt-get install procps"));
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
        looks.put(name, () -> check(name, ask(command), neededFor, get));
    }

    private static @Nullable String knossos() {
        try {
            KnossosClassPath.find(null, System.getenv(KnossosClassPath.VARIABLE));
            return "on the class path";
        } catch (KnossosClassPath.MissingException e) {
            return null;
        }
    }

    private static Optional<String> ask(String... command) {
        try {
            return Shell.ask(LIMIT, List.of(command));
        } catch (InterruptedException e) {
            return Optional.empty();
        }
    }

    /** Whether files can be made there, or the directory where it is not there yet. */
    private static boolean writable(Path state) {
        Path parent = state.getParent();
        return Files.exists(state) ? Files.isWritable(state) : parent != null && Files.isWritable(parent);
    }

    private static Check check(String name, Optional<String> output, String neededFor, String get) {
        String found = output.filter(text -> !text.isBlank())
                .flatMap(text -> text.lines()
                        .filter(line -> line.matches(".*\\d\\.\\d.*") && !line.contains("://"))
                        .findFirst())
                .map(line -> line.replaceAll("\u001B\\[[0-9;]*m", "").strip())
                .orElse(null);
        return new Check(name, false, found, neededFor, get);
    }

    @Override
    public String example() {
        return "./tidemark doctor";
    }
}
