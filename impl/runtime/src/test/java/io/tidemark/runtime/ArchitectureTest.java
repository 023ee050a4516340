package io.tidemark.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.control.ControlPlane;

/** What runs in the simulator as well as in a node: no sockets, threads, clocks or randomness of its own. */
@AnalyzeClasses(packages = "io.tidemark.runtime", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.tidemark.runtime";

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
    static final ArchRule arrows = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("port")
            .definedBy(ROOT + ".port")
            .layer("shared")
            .definedBy(ROOT)
            .layer("control")
            .definedBy(ROOT + ".control")
            .layer("broker")
            .definedBy(ROOT + ".broker")
            .layer("node")
            .definedBy(ROOT + ".node")
            .layer("trace")
            .definedBy(ROOT + ".trace")
            .whereLayer("trace")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("node")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("broker")
            .mayOnlyBeAccessedByLayers("node")
            .whereLayer("control")
            .mayOnlyBeAccessedByLayers("broker", "node")
            .whereLayer("shared")
            .mayOnlyBeAccessedByLayers("control", "broker", "node", "trace");

    @ArchTest
    static final ArchRule theDataLoopKnowsOfTheControlLoopTheMessagesAlone = noClasses()
            .that()
            .resideInAPackage("io.tidemark.runtime.broker..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.tidemark.runtime.control..")
                    .and(not(belongToAnyOf(ControlPlane.CommittedBatch.class, ControlPlane.Leadership.class))));

    @ArchTest
    static final ArchRule portsKnowOfTheCoreEndpointAndReplyTokenAlone = noClasses()
            .that()
            .resideInAPackage("io.tidemark.runtime.port")
            .should()
            .dependOnClassesThat(resideInAPackage("io.tidemark..")
                    .and(not(resideInAPackage("io.tidemark.runtime.port")))
                    .and(not(belongToAnyOf(Endpoint.class, ReplyToken.class))));
}
