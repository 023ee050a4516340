package io.tidemark.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceCommandTest {
    private static final List<String> TRACE = SimTrace.of(Plan.of(1, Shape.three(), Aim.all(), 500));

    @TempDir
    Path dir;

    private Cli validate(List<String> lines, String... more) throws IOException {
        Path file = Files.write(dir.resolve("run.ndjson"), lines);
        List<String> words = new ArrayList<>(List.of("trace", "validate", file.toString()));
        words.addAll(List.of(more));
        return Cli.run(words.toArray(String[]::new));
    }

    @Test
    void aTraceOfTheSimulatorIsAccepted() throws IOException {
        Cli run = validate(TRACE, "--events", "40");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("the quorum: ").contains("\nthe controller: ", "\npartition ", "\naccepted: ");
    }

    private static List<String> notTested(JsonNode document, String words) {
        return StreamSupport.stream(document.path("notTested").spliterator(), false)
                .map(JsonNode::asText)
                .filter(what -> what.contains(words))
                .toList();
    }

    /** A verdict states its bounds: which events were left out because the user asked for it. */
    @Test
    void whatWasLeftOutIsSaid() throws IOException {
        List<String> lines = cut(firstProduce() + 60);
        JsonNode whole = Schemas.validated(
                "trace-validate", validate(lines, "--format", "json").out());
        Path json = dir.resolve("verdict.json");
        String out = validate(lines, "--events", "40", "--out", "json=" + json).out();
        JsonNode part = Schemas.validated("trace-validate", Files.readString(json));
        assertThat(part.path("verdict").asText()).isEqualTo("HOLDS");
        assertThat(part.path("layers").size()).isEqualTo(whole.path("layers").size());
        int cut = 0;
        for (int i = 0; i < part.path("layers").size(); i++) {
            JsonNode all = whole.path("layers").path(i);
            assertThat(all.path("of").asInt()).isEqualTo(all.path("events").asInt());
            JsonNode layer = part.path("layers").path(i);
            assertThat(layer.path("of").asInt()).isEqualTo(all.path("events").asInt());
            cut += layer.path("events").asInt() < layer.path("of").asInt() ? 1 : 0;
        }
        assertThat(cut).isPositive();
        assertThat(notTested(part, " followed (--events 40)")).hasSize(cut);
        assertThat(notTested(whole, " followed (")).isEmpty();
        JsonNode quorum = part.path("layers").path(0);
        String followed = String.format(
                Locale.ROOT,
                "%,d of %,d events",
                quorum.path("events").asInt(),
                quorum.path("of").asInt());
        assertThat(out)
                .startsWith("the quorum: " + followed + ", 1 run of TLC\n")
                .contains("\nnot tested: the quorum: " + followed + " followed (--events 40)\n")
                .containsPattern("\naccepted: [0-9,]+ of [0-9,]+ events, ");
    }

    @Test
    void whereItBeginsLaterWhatCameBeforeIsSaid() throws IOException {
        int events = TRACE.size() - 1;
        int from = events * 9 / 10;
        Cli run = validate(TRACE, "--from", String.valueOf(from), "--events", "5");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("\nnot tested: the quorum: \\d+ of [0-9,]+ events followed \\(--from " + from
                        + ", --events 5\\)\n")
                .contains(String.format(Locale.ROOT, "\nnot tested: events before %,d (--from %d): ", from, from));
        Cli past = validate(TRACE, "--from", "999999");
        assertThat(past.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(past.err())
                .contains(String.format(
                        Locale.ROOT, "--from 999999: the trace has %,d events; 1 to %,d", events, events));
    }

    /** An answer arrives last; nothing can begin while it is on its way. */
    @Test
    void whereNothingIsLeftToFollowThereIsNoVerdict() throws IOException {
        int last = TRACE.size() / 2;
        while (!TRACE.get(last).contains("\"action\":\"HandleMetadataFetchResponse\"")
                || !TRACE.get(last).contains("\"records\":[[")
                || TRACE.get(last).split("\"state\":", -1)[1].contains("\"hw\":")) {
            last++;
        }
        Cli none = validate(cut(last), "--from", String.valueOf(last));
        assertThat(none.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(none.out())
                .containsPattern("^the quorum: 0 of [1-9][0-9,]* events, 0 runs of TLC\n")
                .contains(String.format(Locale.ROOT, "\nunknown: nothing can be followed from event %,d on\n", last))
                .doesNotContain("never all of its nodes");
    }

    /** The trace up to an event. */
    private static List<String> cut(int last) {
        List<String> lines = new ArrayList<>(TRACE.subList(0, last + 1));
        lines.set(0, lines.get(0).replace("\"events\":" + (TRACE.size() - 1), "\"events\":" + last));
        return lines;
    }

    @Test
    void whatTheSpecificationDoesNotAllowIsNamed() throws IOException {
        List<String> lines = new ArrayList<>(TRACE);
        int event = 1;
        while (!lines.get(event).contains("\"action\":\"HandleProduce\"")) {
            event++;
        }
        lines.set(event, lines.get(event).replace("\"leo\":1", "\"leo\":2").replace("[0,1]", "[0,2]"));
        JsonNode document = Schemas.validated(
                "trace-validate",
                validate(lines, "--events", "100", "--format", "json").out());
        assertThat(document.path("exitCode").asInt()).isEqualTo(1);
        JsonNode at = document.path("rejectedAt");
        assertThat(at.path("index").asInt()).isEqualTo(event);
        assertThat(at.path("observed").path("epochs").asText()).isEqualTo("<<0, 0>>");
        assertThat(at.path("expected").path("epochs").asText()).isEqualTo("<<0>>");
        assertThat(at.path("enabled")).isNotEmpty();
    }

    /** What an action was told is shown beside what it should have been told. */
    @Test
    void anArgumentThatIsNotWhatWasSentIsNamed() throws IOException {
        List<String> lines = new ArrayList<>(TRACE);
        int event = 1;
        while (!lines.get(event).contains("\"action\":\"HandleMetadataFetchResponse\"")
                || !lines.get(event).contains("\"records\":[[")) {
            event++;
        }
        lines.set(event, lines.get(event).replaceFirst("\"hw\":(\\d+),\"diverging\"", "\"hw\":7$1,\"diverging\""));
        Cli run = validate(lines, "--events", "400");
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out())
                .contains("rejected at event " + event + ": node ", ", HandleMetadataFetchResponse, the quorum\n")
                .containsPattern("\n  answer: observed \\[.*hw: 7\\d+.*, expected \\[.*hw: \\d+")
                .contains("\nnot tested: what happens before all nodes of the quorum");
    }

    @Test
    void aSeedIsWrittenAsATrace() throws IOException {
        Path file = dir.resolve("seed.ndjson");
        Cli run = Cli.run("simulate", "--seed", "1", "--for", "1s", "--trace", file.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readAllLines(file).get(0)).startsWith("{\"schema\":\"tidemark.trace/1\"");
        assertThat(Cli.run("trace", "validate", file.toString(), "--events", "20")
                        .exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(Cli.run("simulate", "--seeds", "1..2", "--trace", file.toString())
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void whatTheSpecificationHasNoWordForIsUnknown() throws IOException {
        Shape shape = Shape.three().with(each -> each.flushMessages = 3);
        Cli run = validate(SimTrace.of(Plan.of(1, shape, Aim.all(), 500)), "--events", "20");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(run.out()).contains("\nunknown: flush.messages=3 is not modelled; 1 is, and none\nnot tested: ");
        assertThat(validate(TRACE.subList(0, 40)).exitCode()).isEqualTo(ExitCode.INPUT);
    }

    /** Nodes that do right are never said to do wrong because a setting changes while they run. */
    @Test
    void whatComesAfterAChangeOfASettingIsUnknown() throws IOException {
        List<String> lines = new ArrayList<>(TRACE);
        int event = lines.size();
        lines.add(switchedOff(lines));
        lines.set(0, lines.get(0).replace("\"events\":" + (event - 1), "\"events\":" + event));
        JsonNode document = Schemas.validated(
                "trace-validate", validate(lines, "--format", "json").out());
        assertThat(document.path("exitCode").asInt()).isEqualTo(ExitCode.UNKNOWN.code());
        assertThat(document.path("accepted").asBoolean()).isFalse();
        assertThat(document.path("rejectedAt").isNull()).isTrue();
        assertThat(document.path("reasons").path(0).path("message").asText())
                .contains("from event " + event + " on: eligible.leader.replicas.version is switched off");
        assertThat(document.path("layers").path(0).path("unknown").isNull()).isTrue();
        assertThat(document.path("layers").path(1).path("events").asInt()).isPositive();
    }

    /** The next decision of the last controller: no ELR any more. */
    private static String switchedOff(List<String> lines) {
        ObjectMapper json = new ObjectMapper();
        int node = 0;
        long end = 0;
        long nodeSeq = 0;
        try {
            for (String line : lines.subList(1, lines.size())) {
                JsonNode event = json.readTree(line);
                for (JsonNode record : event.path("state").path("metaLog").path("appended")) {
                    node = event.path("node").asInt();
                    end = record.path("offset").asLong() + 1;
                }
                boolean activates = event.path("action").asText().equals("Activate");
                end = activates
                        ? Math.max(end, event.path("args").path("nextOffset").asLong())
                        : end;
            }
            for (String line : lines.subList(1, lines.size())) {
                JsonNode event = json.readTree(line);
                nodeSeq = event.path("node").asInt() == node
                        ? event.path("nodeSeq").asLong()
                        : nodeSeq;
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        return "{\"seq\":" + lines.size() + ",\"node\":" + node + ",\"nodeSeq\":" + (nodeSeq + 1)
                + ",\"cause\":null,\"action\":\"HandleUpdateFeatures\",\"args\":{\"requires\":" + (end + 1)
                + "},\"state\":{\"metaLog\":{\"appended\":[{\"offset\":" + end
                + ",\"type\":\"FeatureLevel\"}]},\"elrEnabled\":false}}";
    }

    private static int firstProduce() {
        int event = 1;
        while (!TRACE.get(event).contains("\"action\":\"HandleProduce\"")) {
            event++;
        }
        return event;
    }

    /** The trace up to an event; then node 1 receives what nobody tells of having sent. */
    private static List<String> withHole(int last) {
        List<String> lines = cut(last + 1);
        long before = nodeSeq(last);
        lines.set(
                last + 1,
                "{\"seq\":" + (last + 1) + ",\"node\":1,\"nodeSeq\":" + (before + 1)
                        + ",\"cause\":{\"client\":\"node-2\",\"connection\":\"/127.0.0.1:40000\",\"correlation\":0}"
                        + ",\"action\":\"ReceiveRequest\",\"args\":{},\"state\":{}}");
        return lines;
    }

    /** How many of the events up to one are node 1's. */
    private static long nodeSeq(int last) {
        return TRACE.subList(0, last + 1).stream()
                .filter(line -> line.contains("\"node\":1,\"nodeSeq\":"))
                .count();
    }

    /** Node 2 has sent something in a life that kept no trace: what nodes did by then is followed, nothing is said of the rest. */
    @Test
    void whatComesAfterALifeWithoutATraceIsUnknown() throws IOException {
        List<String> lines = withHole(120);
        JsonNode document = Schemas.validated(
                "trace-validate", validate(lines, "--format", "json").out());
        assertThat(document.path("exitCode").asInt()).isEqualTo(ExitCode.UNKNOWN.code());
        assertThat(document.path("rejectedAt").isNull()).isTrue();
        assertThat(document.path("reasons").path(0).path("message").asText())
                .startsWith("after event 120: node 1 has received a request of node 2 (event " + (nodeSeq(120) + 1))
                .contains(
                        "node 2's trace ends before it was sent or has a gap there; if nodes still run, stop them first");
        assertThat(document.path("reasons").path(0).path("code").asText()).isEqualTo("NOT_FOLLOWED_TO_THE_END");
        assertThat(document.path("layers").path(0).path("events").asInt()).isPositive();
        assertThat(validate(lines, "--from", "121").err())
                .contains("--from 121: the trace has 120 events before its first gap; 1 to 120");
    }

    /** Who asks for no more than came before the gap gets a verdict of that, and hears of the gap. */
    @Test
    void aVerdictOfWhatCameBeforeAGapNamesIt() throws IOException {
        JsonNode document = Schemas.validated(
                "trace-validate",
                validate(withHole(120), "--events", "5", "--format", "json").out());
        assertThat(document.path("verdict").asText()).isEqualTo("HOLDS");
        assertThat(notTested(document, "the rest of the trace: after event 120: "))
                .hasSize(1);
    }

    /** However many layers cannot be followed past it. */
    @Test
    void aGapIsToldOnce() throws IOException {
        Path json = dir.resolve("verdict.json");
        String out = validate(withHole(firstProduce()), "--out", "json=" + json).out();
        JsonNode document = Schemas.validated("trace-validate", Files.readString(json));
        assertThat(document.path("layers").findValuesAsText("unknown")).hasSizeGreaterThan(1);
        assertThat(notTested(document, "has received a request of node 2")).hasSize(1);
        assertThat(out).containsOnlyOnce("has received a request of node 2").contains("\nunknown: after event ");
    }

    @Test
    void whatIsNoWholeTraceIsRefused() throws IOException {
        assertThat(validate(List.of()).err()).contains("the trace is empty");
        assertThat(validate(List.of()).exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(validate(TRACE.subList(0, 1)).exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(validate(TRACE.subList(0, 100)).err()).contains("the header promises");
        List<String> damaged = new ArrayList<>(TRACE);
        damaged.set(20, damaged.get(20).substring(0, 30));
        assertThat(validate(damaged).err()).contains("run.ndjson:21:").contains("malformed JSON");
        List<String> twice = new ArrayList<>(TRACE);
        twice.set(20, twice.get(19));
        assertThat(validate(twice).err()).contains("run.ndjson:21: ").contains("none twice");
        assertThat(validate(TRACE, "--events", "0").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(validate(TRACE, "--from", "-1").err()).contains("1 or more");
        assertThat(Cli.run("trace", "validate", "/nonexistent.ndjson").exitCode())
                .isEqualTo(ExitCode.INPUT);
    }
}
