package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.StepListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The same seed is the same run: here, in another process, and while it is told. */
class SameSeedTest {
    private static final long SEEDS = 6;

    /** What another process prints. */
    public static void main(String[] args) {
        hashes().forEach(System.out::println);
    }

    private static List<String> hashes() {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Seeds.run(seed).traceHash())
                .toList();
    }

    @Test
    void twiceInOneProcess() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(Seeds.run(seed)).usingRecursiveComparison().isEqualTo(Seeds.run(seed));
        }
        assertThat(hashes()).doesNotHaveDuplicates();
    }

    @Test
    void inTwoProcesses() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SameSeedTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).isZero();
        assertThat(printed.lines()).isEqualTo(hashes());
    }

    @Test
    void toldOrNot() {
        Simulation told = Simulation.of(Plan.of(3), true, node -> StepListener.NONE);
        assertThat(told.run().traceHash()).isEqualTo(Seeds.run(3).traceHash());
        assertThat(told.story()).contains("FAULT ", "CORE ", "HandleProduce");
    }

    @Test
    void aTurnThatIsLeftOutLeavesTheDetailsOfTheOthers() {
        Plan plan = Plan.of(1);
        List<Turn> rest = plan.turns().subList(1, plan.turns().size());
        assertThat(Simulation.of(plan.withTurns(rest)).run().plan().turns()).isEqualTo(rest);
        assertThat(Simulation.of(plan.withTurns(rest)).run().traceHash())
                .isNotEqualTo(Seeds.run(1).traceHash());
    }
}
