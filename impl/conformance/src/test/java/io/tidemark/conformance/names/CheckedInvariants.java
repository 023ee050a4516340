package io.tidemark.conformance.names;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The invariants that the code checks, as its classes have them: of the classes that can say that one is violated, each string
 * literal that is a name, or begins with one and a colon. Those are the core's {@code *Invariants} and, in the simulator,
 * who makes a {@code Violation} or calls {@code Invariants.require}.
 */
final class CheckedInvariants {
    private static final String ROOT = "io.tidemark.";
    private static final String SIMULATION = ROOT + "simulation.";
    private static final Pattern NAME = Pattern.compile("([A-Z][a-z]\\w*)(: .*)?", Pattern.DOTALL);

    private CheckedInvariants() {}

    /** Names to the outermost classes that check them, without {@code io.tidemark.}, of core and simulator. */
    static SortedMap<String, SortedSet<String>> all() {
        return of(new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOT + "core", ROOT + "simulation"));
    }

    /** The same of these classes. */
    static SortedMap<String, SortedSet<String>> of(JavaClasses classes) {
        SortedMap<String, SortedSet<String>> checked = new TreeMap<>();
        for (JavaClass type : classes) {
            String outermost = type.getName().replaceFirst("\\$.*", "");
            if (!outermost.endsWith("Invariants") && !saysViolated(type)) {
                continue;
            }
            for (String literal : ClassStrings.of(type.reflect())) {
                Matcher name = NAME.matcher(literal);
                if (name.matches()) {
                    checked.computeIfAbsent(name.group(1), key -> new TreeSet<>())
                            .add(outermost.substring(ROOT.length()));
                }
            }
        }
        return checked;
    }

    private static boolean saysViolated(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getName())
                .anyMatch(name -> name.equals(SIMULATION + "Violation") || name.equals(SIMULATION + "Invariants"));
    }
}
