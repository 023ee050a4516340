package io.tidemark.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No guard can be switched off, and no node altered, by anything that is installed: tests alone do that. */
@AnalyzeClasses(packages = "io.tidemark", importOptions = NodesAreWholeTest.MainClasses.class)
class NodesAreWholeTest {
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    private static final String ALTERATION = "io.tidemark.node.Alteration";

    @ArchTest
    static final ArchRule GUARDS_ARE_ON = noClasses()
            .that()
            .resideOutsideOfPackage("io.tidemark.conformance..")
            .should()
            .callMethod(Guards.class, "without", Guard.class, Guard[].class)
            .orShould()
            .callMethod(Guards.class, "without", Set.class);

    /** A node starts from its disk, not in a state of choice. */
    @ArchTest
    static final ArchRule NODES_START_FROM_THEIR_DISKS = noClasses()
            .that()
            .resideOutsideOfPackage("io.tidemark.conformance..")
            .and()
            .haveSimpleNameNotEndingWith("InState")
            .should()
            .dependOnClassesThat()
            .haveSimpleNameEndingWith("InState");

    @ArchTest
    static final ArchRule NODES_ARE_NOT_ALTERED = noClasses()
            .that()
            .haveNameNotMatching(ALTERATION.replace(".", "\\.") + ".*")
            .should()
            .implement(ALTERATION);

    /** The tests' lossy nodes break both rules. */
    @Test
    void theRulesNotice() {
        JavaClasses nodes = new ClassFileImporter().importPackages("io.tidemark.node");
        assertThat(GUARDS_ARE_ON.evaluate(nodes).hasViolation()).isTrue();
        assertThat(NODES_ARE_NOT_ALTERED.evaluate(nodes).hasViolation()).isTrue();
    }
}
