package io.tidemark.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What runs in the simulator as well as in a node: no sockets, threads, clocks or randomness of its own. */
@AnalyzeClasses(packages = "io.tidemark.runtime", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule everythingFromOutsideComesThroughAPort = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.net..", "java.util.concurrent..", "java.time..", "io.netty..", "org.apache.kafka..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random");

    @ArchTest
    static final ArchRule theControlLoopKnowsNothingOfTheDataLoop = noClasses()
            .that()
            .resideInAPackage("io.tidemark.runtime.control..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.tidemark.runtime.broker..");
}
