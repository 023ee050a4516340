package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.Guard;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Counterexamples of mutants on the code: without the guard it takes each step and shows the violation at the end, with the guard
 * it refuses a step. The build takes those that are found soon; {@code -Dtidemark.replays=all} takes all.
 */
final class MutantReplays {
    static final Path SPEC =
            Path.of(System.getProperty("tidemark.root", "../.."), "spec").toAbsolutePath();
    static final boolean ALL = System.getProperty("tidemark.replays", "some").equals("all");
    /** In the build a counterexample is looked for in so many states at most. */
    private static final long SOON = 1000;

    private static final Manifest MANIFEST = Manifest.read(SPEC);

    private final String prefix;
    private final Map<String, String> not;
    private final Function<Map<String, String>, Subject<?>> subject;
    private final Map<String, String> table = new TreeMap<>();

    /**
     * @param prefix of the models' modules
     * @param not the mutants whose counterexample cannot be put to the code, with the reason
     * @param subject by the constants of a model
     */
    MutantReplays(String prefix, Map<String, String> not, Function<Map<String, String>, Subject<?>> subject) {
        this.prefix = prefix;
        this.not = not;
        this.subject = subject;
    }

    private Stream<Model> rows() {
        return MANIFEST.models().stream()
                .filter(row -> row.kind() == ModelKind.MUTANT
                        && !row.expected().holds()
                        && row.moduleName().startsWith(prefix));
    }

    /** The mutants to take. */
    Stream<String> names() {
        return rows().filter(row -> !not.containsKey(row.name()) && (ALL || soon(row)))
                .map(Model::name);
    }

    private static boolean soon(Model row) {
        Long distinct = row.expected().distinct();
        return distinct != null && distinct <= SOON;
    }

    /** What the table leaves out is left out for a reason that is written down, and exists. */
    void assertAllNamed() {
        assertThat(rows().map(Model::name)).containsAll(not.keySet());
    }

    void replay(String name) throws IOException {
        Model row = Objects.requireNonNull(MANIFEST.model(name));
        SpecModel model = Counterexamples.read(SPEC, row);
        replay(row, model, subject.apply(row.config().constants()));
    }

    private <C> void replay(Model row, SpecModel model, Subject<C> subject) {
        Counterexamples.Found found =
                Counterexamples.of(model, subject.world(Set.of()).variables());
        assertThat(found).as("a behaviour with %s", row.expected().word()).isNotNull();
        assertThat(found.calls()).hasSize(Objects.requireNonNull(row.expected().steps()));
        Set<Guard> off = off(row);
        Run mutant = run(subject, found, off);
        assertThat(mutant.differences).isEmpty();
        assertThat(mutant.parted).as("the step that the mutant refuses").isEqualTo(-1);
        assertThat(breaks(model, mutant.shown)).as("the code's states break it").isTrue();
        Run whole = run(subject, found, Set.of());
        table.put(row.name(), told(row, off, found, whole));
        if (!off.isEmpty()) {
            assertThat(whole.parted).as("the step that the guard refuses").isPositive();
        }
    }

    private static String told(Model row, Set<Guard> off, Counterexamples.Found found, Run whole) {
        String end = off.isEmpty()
                ? "a setting, no guard"
                : whole.parted < 0
                        ? "not refused"
                        : "refused at step " + whole.parted + " "
                                + found.calls().get(whole.parted - 1);
        return String.format(
                Locale.ROOT,
                "%-45s breaks %-20s at step %2d, %s",
                row.name(),
                row.expected().violated(),
                found.calls().size(),
                end);
    }

    private static boolean breaks(SpecModel model, List<Values> shown) {
        var last = model.state(shown.get(shown.size() - 1));
        return model.broken(last) != null
                || model.broken(model.state(shown.get(Math.max(0, shown.size() - 2))), last) != null;
    }

    private static Set<Guard> off(Model row) {
        Set<Guard> off = EnumSet.noneOf(Guard.class);
        for (Guard guard : Guard.values()) {
            if (row.config().off().contains(guard.specName())) {
                off.add(guard);
            }
        }
        return off;
    }

    private record Run(int parted, List<Values> shown, List<String> differences) {}

    private static <C> Run run(Subject<C> subject, Counterexamples.Found found, Set<Guard> without) {
        int[] at = {-1};
        List<String> differences = new ArrayList<>();
        List<Values> shown = new Replayer<>(subject.world(without))
                .follow(found.calls(), found.states(), (step, elsewhere) -> {
                    at[0] = step;
                    if (elsewhere != null) {
                        differences.addAll(Replayer.differences(found.states().get(step), elsewhere));
                    }
                });
        return new Run(at[0], shown, differences);
    }

    /** A line a mutant, of those too that were not taken. */
    String table() {
        Map<String, String> all = new TreeMap<>(table);
        not.forEach((name, why) -> all.put(name, String.format(Locale.ROOT, "%-45s not replayed: %s", name, why)));
        rows().map(Model::name)
                .forEach(name -> all.putIfAbsent(
                        name, String.format(Locale.ROOT, "%-45s not in the build: -Dtidemark.replays=all", name)));
        return String.join(System.lineSeparator(), all.values());
    }
}
