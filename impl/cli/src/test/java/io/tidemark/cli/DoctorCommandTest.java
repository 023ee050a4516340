package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.DoctorCommand.Check;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
    private static final Check JDK = new Check("JDK", true, "17", "everything", "install it");
    private static final Check KCAT = new Check("kcat", false, null, "a second client", "apt-get install kcat");

    @Test
    void whatIsOptionalKeepsNothingFromRunning() {
        assertThat(DoctorCommand.lines(List.of(JDK, KCAT)))
                .containsExactly(
                        "All that drill, cluster and spec need is here.",
                        "  JDK       17 (for everything)",
                        "Optional:",
                        "  kcat      missing (for a second client)",
                        "            get it: apt-get install kcat");
    }

    @Test
    void whatIsMissingIsInTheFirstLine() {
        Check kill = new Check("kill", true, null, "freezing nodes", "apt-get install procps");
        assertThat(DoctorCommand.lines(List.of(JDK, kill, KCAT)))
                .startsWith("Missing for drill, cluster and spec: kill");
    }
}
