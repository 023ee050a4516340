package io.tidemark.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** Nothing comes into the core but the input, and the same inputs give the same steps in every run. */
@AnalyzeClasses(packages = "io.tidemark.core", importOptions = CoreIsPureTest.MainClasses.class)
class CoreIsPureTest {
    /** The launcher's build has its own output directory, which ArchUnit's own option does not know. */
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    private static final Set<String> CLASSES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.Runtime",
            "java.lang.Process",
            "java.util.Timer",
            "java.util.Date",
            "java.util.Random",
            "java.util.SplittableRandom",
            // Iteration order that is not the order of insertion or of the keys.
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.IdentityHashMap",
            "java.util.WeakHashMap");

    private static final DescribedPredicate<JavaClass> WORLD = resideInAnyPackage(
                    "java.io..",
                    "java.net..",
                    "java.nio.channels..",
                    "java.nio.file..",
                    "java.time..",
                    "java.util.concurrent..",
                    "java.util.logging..",
                    "org.slf4j..")
            .or(describe("clocks, threads, chance or hash order", type -> CLASSES.contains(type.getName())));

    private static final DescribedPredicate<JavaCall<?>> UNREPEATABLE =
            describe("calls that differ between runs", call -> {
                String owner = call.getTargetOwner().getName();
                String method = call.getName();
                return switch (owner) {
                    case "java.lang.System" -> !method.equals("arraycopy");
                    case "java.lang.Math", "java.lang.StrictMath" -> method.equals("random");
                    case "java.util.UUID" -> method.equals("randomUUID");
                    case "java.util.Set", "java.util.Map" ->
                        Set.of("of", "ofEntries", "copyOf").contains(method);
                    case "java.util.stream.Collectors" ->
                        Set.of("toSet", "toMap", "groupingBy", "toUnmodifiableSet", "toUnmodifiableMap")
                                .contains(method);
                    default -> method.equals("parallelStream") || method.equals("parallel");
                };
            });

    @ArchTest
    static final ArchRule NO_WORLD = noClasses().should().dependOnClassesThat(WORLD);

    @ArchTest
    static final ArchRule NO_CHANCE = noClasses().should().callMethodWhere(UNREPEATABLE);

    @ArchTest
    static final ArchRule JDK_ONLY = noClasses()
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("io.tidemark.core..", "java..", "org.jspecify.annotations..");
}
