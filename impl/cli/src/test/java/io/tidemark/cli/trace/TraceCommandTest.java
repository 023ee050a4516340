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

    /** Node 2 has sent something in a life that kept no trace: what nodes did by then is followed, nothing is said of the rest. */
    @Test
    void whatComesAfterALifeWithoutATraceIsUnknown() throws IOException {
        List<String> lines = new ArrayList<>(TRACE.subList(0, 121));
        long before = lines.stream()
                .filter(line -> line.contains("\"node\":1,\"nodeSeq\":"))
                .count();
        lines.add("{\"seq\":121,\"node\":1,\"nodeSeq\":" + (before + 1)
                + ",\"cause\":{\"client\":\"node-2\",\"connection\":\"/127.0.0.1:40000\",\"correlation\":0}"
                + ",\"action\":\"ReceiveRequest\",\"args\":{},\"state\":{}}");
        lines.set(0, lines.get(0).replace("\"events\":" + (TRACE.size() - 1), "\"events\":121"));
        JsonNode document = Schemas.validated(
                "trace-validate", validate(lines, "--format", "json").out());
        assertThat(document.path("exitCode").asInt()).isEqualTo(ExitCode.UNKNOWN.code());
        assertThat(document.path("rejectedAt").isNull()).isTrue();
        assertThat(document.path("reasons").path(0).path("message").asText())
                .startsWith("after event 120: node 1 has received a request of node 2 (event " + (before + 1))
                .endsWith(
                        "node 2's trace ends before it was sent or has a gap there; start every node with --trace each"
                                + " time, and give the traces of all");
        assertThat(document.path("reasons").path(0).path("code").asText()).isEqualTo("NOT_FOLLOWED_TO_THE_END");
        assertThat(document.path("layers").path(0).path("events").asInt()).isPositive();
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
