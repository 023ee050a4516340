package io.tidemark.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.Arrays;
import java.util.List;

/** The packages of the core depend on one another as their package-info says, and on nothing else. */
@AnalyzeClasses(packages = "io.tidemark.core", importOptions = CoreIsPureTest.MainClasses.class)
class PackageArrowsTest {
    private static final String ROOT = "io.tidemark.core";

    @ArchTest
    static void arrows(JavaClasses core) {
        only(core, "");
        only(core, ".log");
        only(core, ".quorum", ".log.");
        only(core, ".metadata", ".log.", ".quorum.");
        only(core, ".partition", ".log.", ".metadata.");
        only(core, ".controller", ".metadata.", ".partition.AlterPartition", ".quorum.Endpoint");
        only(core, ".broker", ".controller.ControllerRe", ".metadata.", ".quorum.Endpoint");
        only(
                core,
                ".message",
                ".log.",
                ".metadata.",
                ".controller.ControllerRe",
                ".quorum.Endpoint",
                ".quorum.ReplicaKey");
    }

    /** @param targets beginnings of class names, behind {@link #ROOT}; itself and the root are always allowed */
    private static void only(JavaClasses core, String from, String... targets) {
        List<String> beginnings =
                Arrays.stream(targets).map(target -> ROOT + target).toList();
        classes()
                .that()
                .resideInAPackage(ROOT + from)
                .should()
                .onlyDependOnClassesThat(describe("are the JDK's, its own, the root's or " + beginnings, type -> {
                    String home = type.getPackageName();
                    return !home.startsWith(ROOT)
                            || home.equals(ROOT)
                            || home.equals(ROOT + from)
                            || beginnings.stream().anyMatch(type.getName()::startsWith);
                }))
                .check(core);
    }
}
