package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.tlc.TlcOptions;
import io.tidemark.spec.tlc.TlcProcess;
import io.tidemark.spec.trace.Itf;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counterexamples of the quorum's mutants on the code. The build takes some; {@code -Dtidemark.replays=all} takes every one whose
 * guard the code has, and prints a table.
 */
class QuorumReplayTest {
    private static final Path SPEC =
            Path.of(System.getProperty("tidemark.root", "../.."), "spec").toAbsolutePath();
    private static final Manifest MANIFEST = Manifest.read(SPEC);
    /** No state of it alone breaks the property, and no step of it is forbidden: a leader that should go stays. */
    private static final String STAYS = "without-check-quorum";

    @TempDir
    static Path directory;

    private static Checker checker;

    @BeforeAll
    static void start() {
        checker = new Checker(new Modules(SPEC), TlcOptions.standard(), directory);
    }

    static Stream<String> mutants() {
        return System.getProperty("tidemark.replays", "some").equals("all")
                ? MANIFEST.models().stream()
                        .filter(model -> model.moduleName().startsWith("MCQuorum")
                                && model.name().startsWith("without-")
                                && !model.name().equals("without-one-voter-change"))
                        .map(Model::name)
                : Stream.of("without-vote-once", "without-pre-vote-fetched", "without-quorum-divergence", STAYS);
    }

    private static Path counterexample(String name) throws InterruptedException {
        Model model = Objects.requireNonNull(MANIFEST.model(name));
        CheckResult result = checker.check(model, false, TlcProcess.Listener.NONE);
        return Objects.requireNonNull(result.file(), name);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void withoutTheGuardTheCodeBreaksTooAndWithItRefuses(String name) throws InterruptedException {
        TraceReplay.Report report = TraceReplay.of(SPEC, counterexample(name), Set.of());
        System.out.println(name + " " + report.result() + " " + report.violated() + ", refused at " + report.refusedAt()
                + " of " + (report.steps().size() - 1));
        if (name.equals(STAYS)) {
            assertThat(report.result()).isEqualTo(TraceReplay.Result.UNKNOWN);
            return;
        }
        assertThat(report.result()).as(report.reason()).isEqualTo(TraceReplay.Result.GUARDED);
        assertThat(report.shown()).isTrue();
        assertThat(report.steps().get(report.refusedAt()).without()).isEqualTo("same");
        assertThat(report.steps().get(report.refusedAt()).whole()).isNotEqualTo("same");
    }

    /** The comparison has teeth: a code that lacks a guard which the behaviour has goes elsewhere. */
    @Test
    void aCodeThatLacksMoreThanTheBehaviourDiffers() throws InterruptedException {
        Model model = Objects.requireNonNull(MANIFEST.model("without-pre-vote-fetched"));
        Path file = counterexample(model.name());
        TraceReplay.Report report = TraceReplay.of(SPEC, Itf.read(file), Map.of("Off", "= {\"vote-once\"}"), Set.of());
        assertThat(report.result()).isEqualTo(TraceReplay.Result.DIFFERS);
        assertThat(report.differences()).isNotEmpty();
    }
}
