package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.trace.TraceLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {
    private static List<String> trace(long seed, long faultMs) {
        Simulation simulation = new Simulation(seed, Seeds.shape(seed), Seeds.wire(seed));
        List<String> lines = new ArrayList<>();
        simulation.trace(lines::add);
        simulation.run(faultMs);
        lines.add(0, TraceLog.header(lines.size(), List.of(1, 2, 3), simulation.constants()));
        return lines;
    }

    @Test
    void theSameSeedIsTheSameTrace() throws IOException {
        List<String> first = trace(1, 3_000);
        assertThat(trace(1, 3_000)).isEqualTo(first);
        String out = System.getProperty("tidemark.traceOut");
        if (out != null) {
            Files.write(Path.of(out), first);
        }
    }
}
