package io.tidemark.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** One seed, one thread, one order: nothing in the simulator may differ from run to run. */
@AnalyzeClasses(packages = "io.tidemark.simulation", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule noThreadsSocketsFilesOrClocks = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.net..", "java.util.concurrent..", "java.time..", "java.nio.channels..", "org.apache.kafka..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("time is virtual, and what happens happens in the order of the queue");

    @ArchTest
    static final ArchRule everythingRandomComesFromTheSeed = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(java.util.UUID.class, "randomUUID")
            .orShould()
            .callMethod(System.class, "identityHashCode", Object.class)
            .because("the same seed is the same run");

    @ArchTest
    static final ArchRule nothingWithoutAnOrder = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.HashMap")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.HashSet")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.IdentityHashMap")
            .orShould()
            .callMethod(java.util.Set.class, "of", Object[].class)
            .orShould()
            .callMethod(java.util.stream.Collectors.class, "toSet")
            .because("the order of such collections changes from process to process");
}
