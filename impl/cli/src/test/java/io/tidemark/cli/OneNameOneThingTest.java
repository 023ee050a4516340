package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A class is found, and spoken of, by its short name: in all modules together it stands for one thing. */
class OneNameOneThingTest {
    /** Names that two things share, each with its reason; one that is shared no more has to leave. */
    private static final Set<String> SHARED = Set.of(
            // What of all that there is was met: by the models of the actions, by a drill of the faults asked for.
            "Coverage",
            // What writes results down: of models into the manifest, of a drill into its history.
            "Recorder",
            // The simulator's says which nodes a fault is aimed at, a drill's is the cluster that it hits: each is its
            // world's word, and only the commands see both.
            "Target",
            // The clients' load on a cluster, in the simulator and in a drill.
            "Workload",
            // The checkers of histories are a library of their own, which sees none of the other modules: the words of
            // linearizability, beside those of the simulator and of the specification.
            "Call",
            "CheckOptions",
            "Fault",
            "Model",
            "Outcome",
            "Values");

    @Test
    void noTwoClassesOfTheModulesHaveOneName() {
        Map<String, Set<String>> packages = new TreeMap<>();
        for (JavaClass one : new ClassFileImporter()
                .withImportOption(new NodesAreWholeTest.MainClasses())
                .importPackages("io.tidemark")) {
            if (one.isTopLevelClass() && !one.getSimpleName().equals("package-info")) {
                packages.computeIfAbsent(one.getSimpleName(), name -> new TreeSet<>())
                        .add(one.getPackageName());
            }
        }
        assertThat(packages).hasSizeGreaterThan(500);
        packages.values().removeIf(found -> found.size() == 1);
        assertThat(packages.keySet()).as("%s", packages).isEqualTo(SHARED);
    }
}
