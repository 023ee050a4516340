package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Wrap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The line that tells how far the models are. */
class CheckRunTest {
    private static final String NOW = "queue 8,400 growing, depth 10, 37,224 distinct, 5,312 states/s";

    private static String line(int room, String... models) {
        Map<String, String> running = new LinkedHashMap<>();
        for (String model : models) {
            running.put(model, NOW);
        }
        return CheckRun.line("spec: 1 of 12", running, room);
    }

    @Test
    void offATerminalItIsWhole() {
        assertThat(line(Wrap.NOWHERE, "PartitionPair", "QuorumVoters"))
                .isEqualTo("spec: 1 of 12; PartitionPair: " + NOW + "; QuorumVoters: " + NOW);
    }

    @Test
    void oneModelHasItsQueueAndTheTrend() {
        assertThat(line(79, "PartitionElrPreferred"))
                .hasSizeLessThanOrEqualTo(79)
                .startsWith("spec: 1 of 12; PartitionElrPreferred: queue 8,400 growing, depth 10");
    }

    /** Beside another, a model has half of the line: of its name a part, of its queue all. */
    @Test
    void ofTwoModelsBothAreSeen() {
        assertThat(line(79, "PartitionPair", "QuorumVoters"))
                .hasSizeLessThanOrEqualTo(79)
                .isEqualTo("spec: 1 of 12; Partiti...: queue 8,400 growing; QuorumV...: queue 8,400 growing");
    }

    @Test
    void aNarrowLineStillNamesThem() {
        assertThat(line(39, "PartitionPair", "QuorumVoters")).contains("Part", "Quor");
    }
}
