package io.tidemark.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A model's whole state space over the code, from the command line. */
class ExploreTest {
    @Test
    void aModelWhoseGraphsAreEqual() throws IOException {
        Cli run = Cli.run("simulate", "--explore", "PartitionMinIsr", "--format", "json");
        JsonNode document = Schemas.validated("simulate-explore", run.out());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(document.path("verdict").asText()).isEqualTo("HOLDS");
        assertThat(document.path("states").asInt()).isEqualTo(906);
        assertThat(document.path("actions").findValuesAsText("name")).contains("HandleAlterMinIsr", "HandleFetch");
        assertThat(document.path("difference").isNull()).isTrue();
        assertThat(document.path("within").asText()).contains("replicas");
    }

    @Test
    void theVerdictStandsWithItsBounds() {
        Cli run = Cli.run("simulate", "--explore", "PartitionMinIsr");
        assertThat(run.out().lines().filter(line -> line.startsWith("within ") || line.startsWith("not tested ")))
                .hasSize(2);
    }

    /** What the code does not have is no success. */
    @Test
    void aModelThatTheCodeDoesNotFollow() {
        Cli run = Cli.run("simulate", "--explore", "PartitionDeletes");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out()).isEqualTo("UNKNOWN: the code does not have DeleteRecords yet; 0 states, 0 a minute\n");
    }

    @Test
    void badUseIsOneLine() {
        Cli run = Cli.run("simulate", "--explore", "PartitionMinISR");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo("tidemark: --explore: unknown model 'PartitionMinISR'; did you mean PartitionMinIsr?\n");
        Cli both = Cli.run("simulate", "--explore", "PartitionMinIsr", "--seed", "1");
        assertThat(both.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(both.err()).isEqualTo("tidemark: --explore: given with --seed; one of them\n");
    }
}
