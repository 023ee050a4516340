package io.tidemark.cli.spec;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Times;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.tlc.TlcJar;
import io.tidemark.spec.tlc.TlcOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is checked otherwise than the manifest says, and how TLC is run. */
final class CheckOptions {
    @Option(names = "--all", description = "All models of the manifest.")
    boolean all;

    @Option(names = "--nightly", description = "The large models, without those of the build.")
    boolean nightly;

    @Option(names = "--mutants", description = "All mutants.")
    boolean mutants;

    @Option(
            names = "--without",
            paramLabel = "GUARD",
            description = "Switch a guard off, and watch it break. Repeatable.")
    List<String> without = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "CONST=VALUE",
            description = "Another value for a constant, as in a .cfg file. Repeatable.")
    List<String> set = new ArrayList<>();

    @Option(
            names = "--property",
            paramLabel = "NAME",
            description = "Check this instead of what the model checks. Repeatable.")
    List<String> properties = new ArrayList<>();

    @Option(names = "--config", paramLabel = "FILE", description = "The .cfg of your own module (the one beside it).")
    @Nullable
    Path config;

    @Option(names = "--force", description = "Check also what is known from an earlier run of the same inputs.")
    boolean force;

    @Option(
            names = "--record",
            description = "Write what was found into the manifest, where it is what the row expects.")
    boolean record;

    @Option(names = "--dry-run", description = "Print the exact commands and write their .cfg files; run nothing.")
    boolean dryRun;

    @Option(names = "--simulate", description = "Random behaviours instead of all states; finds, and proves nothing.")
    boolean simulate;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Threads of one TLC (1; with more, figures are not compared with the manifest's).")
    int workers = 1;

    @Option(names = "--jobs", paramLabel = "N", description = "TLCs side by side (2).")
    int jobs = 2;

    @Option(names = "--heap", paramLabel = "SIZE", description = "Memory of one TLC, such as 512m or 4g (2g).")
    String heap = "2g";

    @Option(names = "--timeout", paramLabel = "TIME", description = "For one model, such as 90s or 10m (none).")
    @Nullable
    String timeout;

    @Option(names = "--tla2tools", paramLabel = "FILE", description = "Another build of TLC.")
    @Nullable
    Path tla2tools;

    /** How TLC is run. */
    TlcOptions tlc(List<String> further) {
        check(workers >= 1 && workers <= 256, "--workers " + workers, "1 to 256");
        check(jobs >= 1 && jobs <= 64, "--jobs " + jobs, "1 to 64");
        check(heap.matches("[1-9]\\d{0,5}[mg]"), "--heap " + heap, "a size such as 512m or 4g");
        return new TlcOptions(
                tla2tools == null ? TlcJar.ofThisRelease() : TlcJar.given(tla2tools),
                workers,
                heap,
                limit(),
                simulate,
                !simulate,
                false,
                further);
    }

    private @Nullable Duration limit() {
        return timeout == null ? null : Times.parse("spec check", "--timeout", timeout);
    }

    /** What {@code --set} says. */
    List<ConfigChange> changes() {
        return set.stream()
                .map(text -> {
                    try {
                        return ConfigChange.parse(text);
                    } catch (IllegalArgumentException e) {
                        throw wrong("--set " + text, "CONST=VALUE or CONST<-OPERATOR");
                    }
                })
                .toList();
    }

    /** Whether models are checked as they stand in the manifest. */
    boolean asWritten() {
        return without.isEmpty() && set.isEmpty() && properties.isEmpty() && !simulate;
    }

    private static void check(boolean right, String value, String expected) {
        if (!right) {
            throw wrong(value, expected);
        }
    }

    private static CliException wrong(String value, String expected) {
        return new CliException("spec check", "bad value in " + value, expected, ExitCode.USAGE, "BAD_VALUE", null);
    }
}
