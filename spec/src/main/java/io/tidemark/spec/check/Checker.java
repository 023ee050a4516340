package io.tidemark.spec.check;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.tlc.TlcCommand;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import io.tidemark.spec.tlc.TlcResult;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import io.tidemark.spec.trace.Arguments;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Itf;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Checks models, and remembers what came out. Safe for use by several threads. */
public final class Checker {
    private static final AtomicInteger RUNS = new AtomicInteger();

    /** Up to so many distinct states a JVM that compiles once is done first (measured). */
    private static final long FEW = 20_000;

    /** Up to so many distinct states counting actions costs seconds, not the most of a run. */
    private static final long COUNTED = 16_000;

    /**
     * Up to so many a reader of one model waits for the counts. TLC keeps a counter for each place where an expression stands,
     * by way of all operators that lead there: that alone fills a heap of 2 GiB, and a larger search ends up collecting garbage.
     */
    private static final long COUNTED_ALONE = 300_000;

    private final Modules modules;
    private final TlcOptions options;
    private final Path state;
    private final ResultCache cache;
    private final Needs needs;
    private final Map<Path, String> jars = new ConcurrentHashMap<>();
    private boolean arguments = true;
    private Predicate<Model> counted = model -> {
        Long distinct = model.expected().distinct();
        return distinct == null || distinct <= COUNTED_ALONE;
    };

    /**
     * A checker.
     *
     * @param state a directory for configurations, counterexamples and the cache; made here
     */
    public Checker(Modules modules, TlcOptions options, Path state) {
        this.modules = modules;
        this.options = options;
        this.state = state.toAbsolutePath();
        this.cache = new ResultCache(this.state.resolve("cache"));
        this.needs = Needs.of(modules);
        sweep(this.state.resolve("run"));
    }

    /** What processes left that were killed: a run's directory is named after its process. */
    private static void sweep(Path runs) {
        File[] left = runs.toFile().listFiles();
        for (File run : left == null ? new File[0] : left) {
            String process = run.getName().replaceFirst("-.*", "");
            if (process.matches("\\d{1,18}")
                    && ProcessHandle.of(Long.parseLong(process)).isEmpty()) {
                TlcProcess.delete(run.toPath());
            }
        }
    }

    /** Leaves out the arguments of counterexamples' actions, which cost a JVM each. */
    public Checker withoutArguments() {
        arguments = false;
        return this;
    }

    /**
     * Counts actions in small models alone, for TLC takes three times as long when it counts; and not in liveness models
     * and controls, which take what the models take that they come from.
     */
    public Checker countingInSmallModels() {
        counted = model -> {
            Long distinct = model.expected().distinct();
            return model.kind() == ModelKind.MODEL && distinct != null && distinct <= COUNTED;
        };
        return this;
    }

    /** Counts actions in these models alone. */
    public Checker countingIn(Set<String> models) {
        counted = model -> models.contains(model.name());
        return this;
    }

    /** What would be run. Its configuration is written; nothing else is done. */
    public TlcCommand command(Model model) {
        TlcOptions used = options(model);
        Path config = state.resolve("config").resolve(model.name() + ".generated.cfg");
        try {
            Files.createDirectories(config.getParent());
            Files.writeString(config, model.config().render());
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT, config.toString(), "cannot be written", "a writable directory");
        }
        Path work = state.resolve("run")
                .resolve(ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet() + "-" + model.name());
        return new TlcCommand(used, model.module().toAbsolutePath(), config, modules.library(), work);
    }

    /** What is meant to break needs no counts of actions, which cost time. */
    private TlcOptions options(Model model) {
        Long distinct = model.expected().distinct();
        boolean few = distinct != null && distinct <= FEW;
        return options.withCoverage(options.coverage() && model.expected().holds() && counted.test(model))
                .withBrief(few && !options.simulate());
    }

    /**
     * Checks a model, or tells what came out the last time if nothing has changed since.
     *
     * @param force never the latter
     */
    public CheckResult check(Model model, boolean force, TlcProcess.Listener listener) throws InterruptedException {
        TlcCommand command = command(model);
        String hash = hash(model, command);
        ResultCache.Entry known = force ? null : cache.find(hash);
        if (known != null) {
            return result(model, command, known.result(), true, known.checkedAt(), hash);
        }
        List<String> temporal = model.config().properties();
        TlcResult result = TlcProcess.run(command, temporal.size() == 1 ? temporal.get(0) : null, listener);
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        if (result.verdict() != Verdict.INCOMPLETE && !command.options().simulate()) {
            cache.keep(hash, new ResultCache.Entry(now, result));
        }
        return result(model, command, result, false, now, hash);
    }

    /**
     * Of the vacuous properties of a changed model those that say something of the model as it stands, which is searched for
     * that where it is small. A model that breaks as it stands is taken to say something by each property; so is a large one
     * that nobody has searched here.
     *
     * @param result of the changed model
     * @param original the model without the changes
     */
    public Set<String> emptied(CheckResult result, Model original, TlcProcess.Listener listener)
            throws InterruptedException {
        Set<String> emptied = new TreeSet<>(result.vacuous().keySet());
        if (!original.expected().holds()) {
            return emptied;
        }
        Model asked = original.with(
                original.config()
                        .checking(
                                result.model().config().invariants(),
                                result.model().config().properties()),
                original.expected());
        // Settings alone tell it of some.
        emptied.removeAll(needs.vacuous(asked, List.of()).keySet());
        boolean searched = original.set() == ModelSet.BUILD || cache.find(hash(original, command(original))) != null;
        if (!emptied.isEmpty() && searched) {
            CheckResult before = check(original, false, listener);
            if (before.exhaustive()) {
                emptied.removeAll(needs.vacuous(asked, before.tlc().actions()).keySet());
            }
        }
        return emptied;
    }

    private CheckResult result(
            Model model, TlcCommand command, TlcResult result, boolean cached, Instant at, String hash)
            throws InterruptedException {
        String violated = result.verdict() == Verdict.DEADLOCK ? "deadlock" : result.violated();
        Counterexample example = Counterexample.of(model.name(), model.moduleName(), violated, result.trace());
        Path file = state.resolve("counterexamples").resolve(model.name() + "-" + hash.substring(0, 8) + ".itf.json");
        return new CheckResult(
                model,
                result,
                options.repeatable(),
                options.simulate() ? "simulate" : "breadth-first",
                result.verdict() == Verdict.PASSED && !options.simulate(),
                cached,
                at,
                hash,
                example == null ? null : saved(example, model, file, command, cached),
                example == null ? null : file,
                result.verdict() == Verdict.PASSED && !options.simulate()
                        ? needs.vacuous(model, result.actions())
                        : Map.of());
    }

    /** The counterexample with its arguments, which are worked out once. */
    private Counterexample saved(Counterexample example, Model model, Path file, TlcCommand command, boolean cached)
            throws InterruptedException {
        try {
            if (cached && Files.exists(file)) {
                return Itf.read(file);
            }
            Itf.write(example, model.config().constants(), file);
            if (!options.jar().pinned() || !arguments) {
                return example;
            }
            Counterexample told = Arguments.told(example, command, file);
            Itf.write(told, model.config().constants(), file);
            return told;
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT, file.toString(), "cannot be written", "a writable directory");
        }
    }

    /** Of modules, configuration, TLC, Java and flags; places and limits do not count. */
    private String hash(Model model, TlcCommand command) {
        TlcOptions used = command.options();
        List<String> parts = new ArrayList<>(List.of(
                modules.inputs(model),
                Integer.toString(used.workers()),
                Boolean.toString(used.simulate()),
                Boolean.toString(used.coverage()),
                System.getProperty("java.version")));
        parts.addAll(used.further());
        parts.add(jars.computeIfAbsent(used.jar().file(), Checker::contents));
        return sha(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
    }

    private static String contents(Path jar) {
        try {
            return sha(Files.readAllBytes(jar));
        } catch (IOException e) {
            throw new SpecException(
                    SpecException.Kind.ENVIRONMENT, jar.toString(), "cannot be read", "a tla2tools.jar");
        }
    }

    private static String sha(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, 32);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
