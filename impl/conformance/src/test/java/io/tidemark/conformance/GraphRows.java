package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.ModelSet;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rows of the manifest whose whole state space is searched over the code. The build takes the smallest;
 * {@code -Dtidemark.graphs=all} takes the build models' own bounds, and every mutant.
 */
final class GraphRows {
    static final Path SPEC =
            Path.of(System.getProperty("tidemark.root", "../.."), "spec").toAbsolutePath();
    private static final Manifest MANIFEST = Manifest.read(SPEC);
    private static final boolean ALL =
            System.getProperty("tidemark.graphs", "some").equals("all");
    /** In the build a guard must be missed within so many states. */
    private static final long SOON = 100;

    private GraphRows() {}

    /** What holds, and is of the code's modules. */
    static Stream<String> models(String prefix, List<String> smallest) {
        return ALL
                ? MANIFEST.models().stream()
                        .filter(row -> row.kind() == ModelKind.MODEL
                                && row.moduleName().startsWith(prefix)
                                && row.set() == ModelSet.BUILD)
                        .map(Model::name)
                : smallest.stream();
    }

    /** Mutants that lack guards of the code. */
    static Stream<String> mutants(String prefix) {
        return MANIFEST.models().stream()
                .filter(row -> row.kind() == ModelKind.MUTANT
                        && !row.expected().holds()
                        && row.moduleName().startsWith(prefix)
                        && !off(row).isEmpty()
                        && (ALL || soon(row)))
                .map(Model::name);
    }

    private static boolean soon(Model row) {
        Long distinct = row.expected().distinct();
        return distinct != null && distinct <= SOON;
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

    static void assertEqual(String name) {
        Model row = Objects.requireNonNull(MANIFEST.model(name), name);
        Exploration.Report report = Exploration.of(SPEC, row, Set.of(), states -> true);
        System.out.println(name + ": " + report.states() + " states, " + report.edges());
        assertThat(report.broken()).isNull();
        assertThat(report.difference()).isNull();
        assertThat(report.result()).as(report.reason()).isEqualTo(Exploration.Result.EQUAL);
        boolean symmetry = row.config().keywords().containsKey("SYMMETRY");
        Long distinct = row.expected().distinct();
        if (!symmetry && distinct != null) {
            assertThat(report.states()).isEqualTo(distinct);
        }
    }

    /** The specification has the guard, the code does not. */
    static void assertDifferent(String name) {
        Model row = Objects.requireNonNull(MANIFEST.model(name), name);
        Model guarded = row.with(row.config().with(List.of(ConfigChange.parse("Off={}"))), row.expected());
        Exploration.Report report = Exploration.of(SPEC, guarded, off(row), states -> true);
        assertThat(report.result()).as(report.reason()).isEqualTo(Exploration.Result.DIFFERS);
        assertThat(report.difference()).contains(" after Init", "  from: ");
    }
}
