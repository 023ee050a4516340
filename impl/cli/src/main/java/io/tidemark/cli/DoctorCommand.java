package io.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Shell;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
     * @param found what is there, null if it is missing
     * @param neededFor what cannot be done without it
     * @param get how to get it
     */
    private record Check(String name, @Nullable String found, String neededFor, String get) {}

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut("doctor", Set.of("json"));
        List<Check> checks = checks();
        Report report = new Report("tidemark.doctor/1");
        ArrayNode list = report.body().putArray("checks");
        for (Check check : checks) {
            list.addObject()
                    .put("name", check.name)
                    .put("found", check.found)
                    .put("neededFor", check.neededFor)
                    .put("get", check.get);
        }
        return session.publish(report, out -> {
            for (Check check : checks) {
                String state = check.found == null ? "missing" : check.found;
                out.printf("%-9s %s%n", check.name, state);
                if (check.found == null) {
                    out.printf("          for %s; get it: %s%n", check.neededFor, check.get);
                }
            }
        });
    }

    // All at once: a Docker engine that hangs makes nothing else wait.
    private static List<Check> checks() {
        Map<String, Supplier<Check>> looks = new LinkedHashMap<>();
        looks.put(
                "JDK",
                () -> check(
                        "JDK",
                        Optional.of(Runtime.version().toString()),
                        "everything",
                        "apt-get install openjdk-17-jdk-headless"));
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
                () -> check(
                        "Knossos",
                        Optional.ofNullable(System.getenv("TIDEMARK_KNOSSOS_CLASSPATH")),
                        "a second opinion on histories",
                        "set TIDEMARK_KNOSSOS_CLASSPATH to Knossos' jars (Clojars)"));
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
        looks.put(name, () -> {
            try {
                return check(name, Shell.ask(LIMIT, List.of(command)), neededFor, get);
            } catch (InterruptedException e) {
                return check(name, Optional.empty(), neededFor, get);
            }
        });
    }

    private static Check check(String name, Optional<String> output, String neededFor, String get) {
        String found = output.filter(text -> !text.isBlank())
                .flatMap(text -> text.lines()
                        .filter(line -> line.matches(".*\\d\\.\\d.*") && !line.contains("://"))
                        .findFirst())
                .map(line -> line.replaceAll("\u001B\\[[0-9;]*m", "").strip())
                .orElse(null);
        return new Check(name, found, neededFor, get);
    }

    @Override
    public String example() {
        return "./tidemark doctor";
    }
}
