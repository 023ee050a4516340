package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.trace.Corruptions.Corruption;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import io.tidemark.spec.tlc.TlcOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One field of one event has another value: the event is refused, or a later one that reads the field. 20 of them in the
 * build; {@code -Dtidemark.corruptions=1000} for as many, {@code -Dtidemark.corruptions.table=FILE} for a table of fields.
 */
class CorruptedTraceTest {
    private static final Path SPEC = Path.of(System.getProperty("tidemark.root", "../.."), "spec");
    private static final long[] SEEDS = {1, 2, 4, 8};

    /** They name something that a later event reads: a setting, a life that registers. */
    private static final Set<String> READ_LATER =
            Set.of("state.minIsr.*", "state.uncleanElection.*", "state.incarnation");

    @TempDir
    Path work;

    @Test
    void aFieldThatIsChangedIsNoticed() throws Exception {
        int count = Integer.getInteger("tidemark.corruptions", 20);
        List<Corruption> all = new ArrayList<>();
        for (int i = 0; i < SEEDS.length; i++) {
            if (count < 100 && i > 0) {
                break;
            }
            List<String> lines = SimTrace.of(Plan.of(SEEDS[i], Shape.three(), Aim.all(), 6_000));
            Layer partition = new Layer.Partition(
                    Layer.partitions(TraceFile.parse("trace", lines)).get(0));
            int share = count < 100 ? count : count / SEEDS.length;
            all.addAll(new Corruptions(lines, partition, 400, SEEDS[i])
                    .run(new TraceRun(SPEC, work, TlcOptions.standard()), share));
        }
        write(all);
        assertThat(all).hasSizeGreaterThanOrEqualTo(count);
        assertThat(all)
                .allSatisfy(each -> assertThat(each.refusedAtOnce() || READ_LATER.contains(each.field()))
                        .as(each.toString())
                        .isTrue());
    }

    private static void write(List<Corruption> all) throws IOException {
        String table = System.getProperty("tidemark.corruptions.table");
        if (table != null) {
            Files.writeString(
                    Path.of(table),
                    "<!-- mvn -o -pl impl/conformance -am test -Dtest=CorruptedTraceTest"
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dtidemark.corruptions=" + all.size()
                            + " -Dtidemark.corruptions.table=$PWD/docs/trace-fields.md -->\n"
                            + "# Fields of a trace, and what notices that they were changed\n\n"
                            + "One field of one event was given another value (a number one more, a truth value the other"
                            + " one, a text another one), and the trace was followed. What an action is told is named"
                            + " after it, a variable `state`. \"There\" is the event itself.\n\n"
                            + Corruptions.table(all));
        }
    }
}
