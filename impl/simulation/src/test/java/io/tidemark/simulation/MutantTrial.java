package io.tidemark.simulation;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs seeds of a mutant, of the swarm's one distribution: that of {@code simulate}. */
final class MutantTrial implements AutoCloseable {
    /** How a seed ends that no invariant ends. */
    static final String HOLDS = "";

    private final Mutant mutant;
    private final ClassLoader code;

    /** @param directory for what is compiled */
    MutantTrial(Mutant mutant, Path directory) throws IOException {
        this.mutant = mutant;
        this.code = mutant.patches().isEmpty()
                ? MutantTrial.class.getClassLoader()
                : PatchedCode.of(mutant.patches(), directory);
    }

    /**
     * The invariant that the seed breaks; {@link #HOLDS}, or the kind of an exception behind a {@code !}: code that fails
     * is caught by chance, not by an invariant.
     */
    String broken(long seed) {
        String off = mutant.off().isEmpty()
                ? ""
                : String.join(",", mutant.off().stream().map(Guard::name).toList());
        try {
            Method run = code.loadClass(MutantTrial.class.getName()).getDeclaredMethod("run", String.class, long.class);
            run.setAccessible(true);
            return (String) run.invoke(null, off, seed);
        } catch (InvocationTargetException e) {
            return "!" + e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Called by its name, in the class loader of the mutant. */
    static String run(String off, long seed) {
        List<Guard> guards = off.isEmpty()
                ? List.of()
                : Arrays.stream(off.split(",")).map(Guard::valueOf).toList();
        Guards some = guards.isEmpty()
                ? Guards.ALL
                : Guards.without(guards.get(0), guards.subList(1, guards.size()).toArray(Guard[]::new));
        Outcome outcome = Outcome.of(Plan.of(seed, Shape.of(seed).withGuards(some), Aim.all(), Plan.DEFAULT_FOR_MS));
        Outcome.Failure failure = outcome.failure();
        if (failure == null) {
            return HOLDS;
        }
        return failure.kind().equals("invariant") ? failure.check() : "!" + failure.check();
    }

    @Override
    public void close() throws IOException {
        if (code instanceof PatchedCode patched) {
            patched.close();
        }
    }
}
