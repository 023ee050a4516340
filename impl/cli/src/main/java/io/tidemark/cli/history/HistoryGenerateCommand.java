package io.tidemark.cli.history;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.history.HistoryWriter;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.generate.Fault;
import io.tidemark.history.generate.GeneratorSpec;
import io.tidemark.history.generate.HistoryGenerator;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Generates random histories, valid ones and ones with a fault. */
@picocli.CommandLine.Command(
        name = "generate",
        description = {
            "Write a random history of any size: what clients see of a broker or an object that is simulated, and that has a"
                    + " fault if one is asked for. The same seed gives the same history.",
            "It goes to standard output, or to the file of --out edn=FILE."
        })
final class HistoryGenerateCommand implements Command {
    private static final String WHERE = "history generate";

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description =
                    "Of what: log, register, cas-register, multi-register, mutex, kv, topic. Default: ${DEFAULT-VALUE}.")
    String model = "log";

    @Option(names = "--seed", paramLabel = "N", description = "Default: a random one, reported.")
    @Nullable
    Long seed;

    @Option(names = "--operations", paramLabel = "N", description = "Invocations. Default: ${DEFAULT-VALUE}.")
    long operations = 1000;

    @Option(names = "--processes", paramLabel = "N", description = "At the same time. Default: ${DEFAULT-VALUE}.")
    int processes = 10;

    @Option(
            names = "--crashes",
            paramLabel = "N",
            description = "Operations of an object whose end nobody learns. Default: ${DEFAULT-VALUE}.")
    int crashes = 4;

    @Option(names = "--partitions", paramLabel = "N", description = "Of a log. Default: ${DEFAULT-VALUE}.")
    int partitions = 3;

    @Option(
            names = "--fault",
            paramLabel = "NAME",
            description =
                    "none; of a log: lose-tail, forget, mistell-offset, serve-unreplicated, append-twice, overtake,"
                            + " fill-below, invent, refuse-and-append, mix-up, rewind, skip, leave-hole, stale-end; of an object: stale,"
                            + " drop, fail-and-do, late. Default: ${DEFAULT-VALUE}.")
    String fault = "none";

    @Override
    public ExitCode run(Session session) throws InterruptedException {
        session.checkOut(WHERE, Set.of("edn", "json"));
        HistoryModel of = HistoryOptions.model(WHERE, model);
        Fault wrong = HistoryOptions.named(WHERE + " --fault", fault, Fault.values(), Fault::label);
        long drawn = seed == null ? ThreadLocalRandom.current().nextLong(1, 1_000_000_000) : seed;
        GeneratorSpec spec;
        try {
            spec = new GeneratorSpec(of, drawn, operations, processes, crashes, partitions, wrong);
        } catch (IllegalArgumentException e) {
            String[] told = String.valueOf(e.getMessage())
                    .replaceFirst("^generate: ", "")
                    .split("; ", 2);
            throw HistoryOptions.usage(WHERE, told[0], told.length > 1 ? told[1] : "another --fault, see --help");
        }
        session.note("seed " + drawn);
        Path file = session.options().out.get("edn");
        Report report = new Report("tidemark.history.generate/1");
        if (file != null) {
            report.artifact("history", file.toString());
        }
        report.body()
                .put("model", of.label())
                .put("seed", drawn)
                .put("operations", operations)
                .put("fault", wrong.label());
        return session.publish(
                report,
                out -> {
                    if (file == null) {
                        write(spec, out);
                    }
                },
                Map.of("edn", out -> write(spec, out)));
    }

    private static void write(GeneratorSpec spec, PrintStream out) {
        StringBuilder line = new StringBuilder();
        HistoryGenerator.generate(spec, operation -> {
            HistoryWriter.write(operation, line);
            if (line.length() > 1 << 15) {
                out.append(line);
                line.setLength(0);
            }
        });
        out.append(line);
    }

    @Override
    public String example() {
        return "./tidemark history generate --seed 1 --fault lose-tail --out edn=lost.edn";
    }
}
