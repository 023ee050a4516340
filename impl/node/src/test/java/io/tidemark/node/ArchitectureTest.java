package io.tidemark.node;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemark.node.config.NetworkSettings;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.FileRegion;
import io.tidemark.wire.DescribeContext;

/** The packages of a node depend on one another, and on what is below, as their package-info says. */
@AnalyzeClasses(packages = "io.tidemark.node", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String NODE = "io.tidemark.node..";

    @ArchTest
    static final ArchRule loopsKnowThePortsAlone = noClasses()
            .that()
            .resideInAPackage("io.tidemark.node.loop")
            .should()
            .dependOnClassesThat(resideInAPackage("io.tidemark..")
                    .and(not(resideInAnyPackage("io.tidemark.node.loop", "io.tidemark.runtime.port"))));

    @ArchTest
    static final ArchRule socketsKnowNoLoopAndNoFileButRegions = noClasses()
            .that()
            .resideInAPackage("io.tidemark.node.net")
            .should()
            .dependOnClassesThat(resideInAPackage("io.tidemark.storage..").and(not(belongToAnyOf(FileRegion.class))))
            .orShould()
            .dependOnClassesThat(resideInAPackage(NODE)
                    .and(not(resideInAPackage("io.tidemark.node.net")))
                    .and(not(belongToAnyOf(NetworkSettings.class))))
            .orShould()
            .dependOnClassesThat(resideInAnyPackage("io.tidemark.runtime.broker", "io.tidemark.runtime.control"));

    @ArchTest
    static final ArchRule configurationKnowsNothingThatRuns = noClasses()
            .that()
            .resideInAPackage("io.tidemark.node.config")
            .should()
            .dependOnClassesThat(resideInAPackage("io.tidemark.runtime..").and(not(belongToAnyOf(NodeSettings.class))))
            .orShould()
            .dependOnClassesThat(resideInAPackage("io.tidemark.wire..").and(not(belongToAnyOf(DescribeContext.class))))
            .orShould()
            .dependOnClassesThat(resideInAPackage(NODE).and(not(resideInAPackage("io.tidemark.node.config"))))
            .orShould()
            .dependOnClassesThat(resideInAPackage("io.netty.."));

    @ArchTest
    static final ArchRule kafkasClassesStayBehindWire =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.kafka..");
}
