package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.trace.Corruptions.Corruption;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import io.tidemark.spec.tlc.TlcOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One field of one event has another value: the event is refused, or a later one that reads the field. 20 of the quorum, of the
 * controller and of a partition each in the build; {@code -Dtidemark.corruptions=1000} for as many, which makes {@code docs/trace-fields.md} anew.
 */
class CorruptedTraceTest {
    private static final Path ROOT = Path.of(System.getProperty("tidemark.root", "../.."));
    private static final Path TABLE = ROOT.resolve("docs/trace-fields.md");
    private static final int COUNT = Integer.getInteger("tidemark.corruptions", 20);
    private static final int NIGHTLY = 100;
    private static final long[] SEEDS = {1, 2, 4, 8};
    private static final String QUORUM = "## The metadata quorum: ";
    private static final String CONTROLLER = "## The controller: ";
    private static final String PARTITION = "## A partition: ";
    private static final int QUORUM_MS = 20_000;
    private static final int PARTITION_MS = 6_000;
    /** By then the quorum's nodes have found each other. */
    private static final int FOUND = 200;

    private static final int DECISIONS = 200;

    @TempDir
    Path work;

    private static List<String> traced(long seed) {
        return SimTrace.of(Plan.of(seed, Shape.three(), Aim.all(), QUORUM_MS));
    }

    private static Corruptions partition(long seed) {
        List<String> lines = SimTrace.of(Plan.of(seed, Shape.three(), Aim.all(), PARTITION_MS));
        Layer partition = new Layer.Partition(
                Layer.partitions(TraceFile.parse("trace", lines)).get(0));
        return new Corruptions(lines, partition, 1, 400, seed);
    }

    @Test
    void aFieldThatIsChangedIsNoticed() throws Exception {
        List<Corruption> quorum = new ArrayList<>();
        List<Corruption> controller = new ArrayList<>();
        List<Corruption> partition = new ArrayList<>();
        TreeSet<String> fields = new TreeSet<>();
        TraceRun run = new TraceRun(ROOT.resolve("spec"), work, TlcOptions.standard());
        for (long seed : SEEDS) {
            List<String> lines = traced(seed);
            Corruptions ofQuorum = new Corruptions(lines, new Layer.Quorum(), FOUND, 400, seed);
            Corruptions ofController = new Corruptions(lines, new Layer.Controller(), 1, DECISIONS, seed);
            Corruptions ofPartition = partition(seed);
            ofQuorum.fields().forEach(field -> fields.add(QUORUM + field));
            ofController.fields().forEach(field -> fields.add(CONTROLLER + field));
            ofPartition.fields().forEach(field -> fields.add(PARTITION + field));
            if (COUNT >= NIGHTLY || seed == SEEDS[0]) {
                int share = COUNT >= NIGHTLY ? COUNT / SEEDS.length : COUNT;
                quorum.addAll(ofQuorum.run(run, share));
                controller.addAll(ofController.run(run, share));
                partition.addAll(ofPartition.run(run, share));
            }
        }
        assertThat(quorum).hasSize(COUNT);
        assertThat(controller).hasSize(COUNT);
        assertThat(partition).hasSize(COUNT);
        // As it stood before: what is refused otherwise now is written, and fails.
        Map<String, int[]> published = published();
        if (COUNT >= NIGHTLY) {
            Files.writeString(TABLE, table(quorum, controller, partition));
        }
        assertThat(published.keySet()).isEqualTo(fields);
        assertThat(quorum).allSatisfy(each -> isAsPublished(published, QUORUM, each));
        assertThat(controller).allSatisfy(each -> isAsPublished(published, CONTROLLER, each));
        assertThat(partition).allSatisfy(each -> isAsPublished(published, PARTITION, each));
    }

    private static void isAsPublished(Map<String, int[]> published, String layer, Corruption each) {
        int[] row = published.getOrDefault(layer + each.field(), new int[4]);
        assertThat(row[each.column()]).as(layer + each).isPositive();
    }

    /** The rows of the table: how often it was changed, refused there, later, accepted. */
    private static Map<String, int[]> published() throws Exception {
        TreeMap<String, int[]> rows = new TreeMap<>();
        String layer = "";
        for (String line : Files.readAllLines(TABLE)) {
            layer = line.startsWith("## ") ? line + ": " : layer;
            String[] cells = line.split(" *\\| *");
            if (line.startsWith("| `")) {
                int[] row = new int[4];
                for (int i = 0; i < row.length; i++) {
                    row[i] = Integer.parseInt(cells[i + 2].split(" ")[0]);
                }
                rows.put(layer + cells[1].replace("`", ""), row);
            }
        }
        return rows;
    }

    private static String table(List<Corruption> quorum, List<Corruption> controller, List<Corruption> partition) {
        return "<!-- mvn -o -pl impl/conformance -am test -Dtest=CorruptedTraceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dtidemark.corruptions=" + COUNT + " -->\n"
                + "# Fields of a trace, and what notices that they were changed\n\n"
                + "One field of one event was given another value (a number one more, a truth value the other one, a text\n"
                + "another one), and the trace was followed. What an action is told is named after it, a variable `state`.\n"
                + "\"There\" is the event itself; a later event is one that reads the field. What is accepted nobody compares\n"
                + "there, or the changed trace is a behaviour of the specification, too: the last section says which.\n\n"
                + "## The metadata quorum\n\n" + Corruptions.table(quorum)
                + "\n## The controller\n\n" + Corruptions.table(controller)
                + "\n## A partition\n\n" + Corruptions.table(partition)
                + "\n## What is accepted\n\n"
                + "- `Ignored.answer.error`: a module knows that a request is refused, not the refusal's name.\n"
                + "- `state.elrEnabled`, `state.minIsr` and `state.uncleanElection`: the settings that a trace begins with, and those that\n"
                + "  a line changes, are believed; the next decision reads them, if there is one.\n"
                + "- `HandleAlterPartition.partitions.*.asked`: a change that its sender has given up, and that is refused\n"
                + "  either way.\n"
                + "- A few others, now and then: an answer that teaches nothing new whatever was asked, what is written and read\n"
                + "  by nobody before the part that was followed ends.\n";
    }
}
