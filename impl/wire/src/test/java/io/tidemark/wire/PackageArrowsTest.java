package io.tidemark.wire;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The packages depend on one another as their package-info says. */
@AnalyzeClasses(packages = "io.tidemark.wire", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageArrowsTest {
    @ArchTest
    static final ArchRule WIRE = classes()
            .that()
            .resideInAPackage("io.tidemark.wire")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "org.jspecify..", "org.apache.kafka..", "io.tidemark.core..", "io.tidemark.wire..");

    @ArchTest
    static final ArchRule BATCH = classes()
            .that()
            .resideInAPackage("io.tidemark.wire.batch")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "org.jspecify..", "org.apache.kafka..", "io.tidemark.core..", "io.tidemark.wire.batch");
}
