package io.tidemark.conformance;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * The harness builds a start state, feeds inputs and reads: {@code *Start} builds, {@code *Trial} and {@code *Cores} feed,
 * everything else has inputs, effects and views alone. So what is compared is what the core does.
 */
@AnalyzeClasses(packages = "io.tidemark.conformance")
class HarnessTest {
    private static final String CORE = "io.tidemark.core";
    /** The one state that is built of records rather than of inputs. */
    private static final String METADATA = "MetadataState";

    private static boolean isCore(JavaClass type) {
        return type.getPackageName().startsWith(CORE) && type.getSimpleName().endsWith("Core");
    }

    private static boolean isBuilder(JavaClass type) {
        return type.getPackageName().startsWith(CORE) && type.getSimpleName().endsWith("InState");
    }

    /** Values and views: what cannot be changed through them. */
    private static boolean isData(JavaClass type) {
        return type.isInterface()
                || type.isRecord()
                || type.isEnum()
                || Set.of("Guards", "Step").contains(type.getSimpleName());
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(HarnessTest::outermost).orElse(type);
    }

    private static boolean is(JavaClass type, String role) {
        return outermost(type).getSimpleName().endsWith(role);
    }

    private static boolean allowed(JavaCall<?> call) {
        JavaClass target = call.getTargetOwner();
        JavaClass from = call.getOriginOwner();
        if (!target.getPackageName().startsWith(CORE) || isData(target)) {
            return true;
        }
        if (isBuilder(target)
                || target.getSimpleName().equals(METADATA)
                || call.getName().equals("<init>")) {
            return is(from, "Start");
        }
        return isCore(target)
                && switch (call.getName()) {
                    case "start" -> is(from, "Start");
                    case "apply", "view", "state", "brokerEpoch" ->
                        is(from, "Start") || is(from, "Trial") || is(from, "Cores");
                    default -> false;
                };
    }

    @ArchTest
    static final ArchRule BUILDS_FEEDS_READS = noClasses()
            .should()
            .callCodeUnitWhere(describe("does more to a core than its role allows", call -> !allowed(call)));

    @ArchTest
    static final ArchRule READERS_HAVE_NO_CORE = noClasses()
            .that(describe(
                    "neither build nor feed", type -> !is(type, "Start") && !is(type, "Trial") && !is(type, "Cores")))
            .and()
            .doNotHaveSimpleName("HarnessTest")
            .should()
            .dependOnClassesThat(describe("are cores", type -> isCore(type) || isBuilder(type)));

    private static final String HERE = "io.tidemark.conformance";

    @ArchTest
    static final ArchRule STATES_KNOW_NO_CODE = noClasses()
            .that()
            .resideInAPackage(HERE + ".states")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    CORE + "..", HERE, HERE + ".world", HERE + ".quorum", HERE + ".partition", HERE + ".trace");

    @ArchTest
    static final ArchRule WORLDS_KNOW_NO_CORES = noClasses()
            .that()
            .resideInAPackage(HERE + ".world")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HERE, HERE + ".quorum", HERE + ".partition", HERE + ".trace");

    @ArchTest
    static final ArchRule THE_QUORUM_KNOWS_NO_PARTITIONS = noClasses()
            .that()
            .resideInAPackage(HERE + ".quorum")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HERE, HERE + ".partition", HERE + ".trace");

    @ArchTest
    static final ArchRule PARTITIONS_KNOW_NO_QUORUM = noClasses()
            .that()
            .resideInAPackage(HERE + ".partition")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HERE, HERE + ".quorum", HERE + ".trace");

    @ArchTest
    static final ArchRule TRACES_KNOW_NO_WORLDS = noClasses()
            .that()
            .resideInAPackage(HERE + ".trace")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HERE, HERE + ".world", HERE + ".quorum", HERE + ".partition");

    /** Nothing here is in a package of the core, where more could be called. */
    @ArchTest
    static final ArchRule OUTSIDE = classes().should().resideInAPackage(HERE + "..");
}
