package io.tidemark.storage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The packages depend on one another as their package-info says. */
@AnalyzeClasses(packages = "io.tidemark.storage", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageArrowsTest {
    @ArchTest
    static final ArchRule STORAGE = classes()
            .that()
            .resideInAPackage("io.tidemark.storage")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "io.tidemark.storage",
                    "io.tidemark.core.log",
                    "io.tidemark.core.quorum");

    @ArchTest
    static final ArchRule MEMORY = classes()
            .that()
            .resideInAPackage("io.tidemark.storage.memory")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "io.tidemark.storage", "io.tidemark.storage.memory");
}
