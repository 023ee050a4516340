package io.tidemark.spec.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.trace.Counterexample.Step;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counterexamples in the Informal Trace Format of Apalache, which other viewers read too. {@code #meta} of the document
 * has model, module, property and whether the end stutters; {@code #meta} of a state its action and arguments.
 */
public final class Itf {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    /** JSON numbers beyond it lose digits in other programs. */
    private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);

    private Itf() {}

    /** Writes the file, its directory included. */
    public static void write(Counterexample example, Path file) throws IOException {
        write(example, Map.of(), file);
    }

    /** @param constants of the model, as its configuration says them: {@code = value} or {@code <- operator} */
    public static void write(Counterexample example, Map<String, String> constants, Path file) throws IOException {
        Path dir = file.toAbsolutePath().getParent();
        if (dir != null) {
            Files.createDirectories(dir);
        }
        Files.writeString(file, JSON.writeValueAsString(document(example, constants)) + "\n");
    }

    private static ObjectNode document(Counterexample example, Map<String, String> constants) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode meta = document.putObject("#meta");
        meta.put("format", "ITF")
                .put("format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html")
                .put("source", example.module() + ".tla")
                .put("model", example.model())
                .put("violated", example.violated())
                .put("stutters", example.stutters());
        ObjectNode told = meta.putObject("constants");
        constants.forEach(told::put);
        ArrayNode vars = document.putArray("vars");
        example.steps().get(0).state().keySet().forEach(vars::add);
        ArrayNode states = document.putArray("states");
        for (int i = 0; i < example.steps().size(); i++) {
            Step step = example.steps().get(i);
            ObjectNode state = states.addObject();
            ObjectNode of = state.putObject("#meta").put("index", i).put("action", step.action());
            List<String> arguments = step.arguments();
            if (arguments == null) {
                of.putNull("arguments");
            } else {
                arguments.forEach(of.putArray("arguments")::add);
            }
            step.state().forEach((name, value) -> state.set(name, json(value)));
        }
        if (example.loop() != null) {
            document.put("loop", example.loop());
        }
        return document;
    }

    private static JsonNode json(TlaValue value) {
        JsonNodeFactory factory = JsonNodeFactory.instance;
        if (value instanceof TlaValue.Int number) {
            return number.value().abs().compareTo(EXACT) < 0
                    ? factory.numberNode(number.value().longValueExact())
                    : factory.objectNode().put("#bigint", number.value().toString());
        }
        if (value instanceof TlaValue.Bool bool) {
            return factory.booleanNode(bool.value());
        }
        if (value instanceof TlaValue.Text text) {
            return factory.textNode(text.value());
        }
        if (value instanceof TlaValue.Seq seq) {
            return array(seq.items());
        }
        if (value instanceof TlaValue.SetOf set) {
            return factory.objectNode().set("#set", array(set.items()));
        }
        if (value instanceof TlaValue.Rec record) {
            ObjectNode object = factory.objectNode();
            record.fields().forEach((name, field) -> object.set(name, json(field)));
            return object;
        }
        ArrayNode pairs = factory.arrayNode();
        ((TlaValue.Fun) value)
                .values()
                .forEach((key, item) -> pairs.addArray().add(json(key)).add(json(item)));
        return factory.objectNode().set("#map", pairs);
    }

    private static ArrayNode array(List<TlaValue> items) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        items.forEach(item -> array.add(json(item)));
        return array;
    }

    /** Reads a file, ours or another program's. */
    public static Counterexample read(Path file) {
        try {
            return example(JSON.readTree(file.toFile()), file);
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw wrong(file + place, "is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw wrong(file.toString(), Files.exists(file) ? "cannot be read" : "no such file");
        }
    }

    /** The constants of the model, by name, as they were written; none in another program's file. */
    public static Map<String, String> constants(Path file) {
        Map<String, String> constants = new LinkedHashMap<>();
        try {
            JSON.readTree(file.toFile())
                    .path("#meta")
                    .path("constants")
                    .properties()
                    .forEach(field ->
                            constants.put(field.getKey(), field.getValue().asText()));
        } catch (IOException e) {
            throw wrong(file.toString(), "cannot be read");
        }
        return constants;
    }

    private static Counterexample example(JsonNode document, Path file) {
        JsonNode states = document.path("states");
        if (!states.isArray() || states.isEmpty()) {
            throw wrong(file.toString(), "has no states");
        }
        List<Step> steps = new ArrayList<>();
        for (JsonNode state : states) {
            Map<String, TlaValue> variables = new LinkedHashMap<>();
            state.properties().forEach(field -> {
                if (!field.getKey().startsWith("#")) {
                    variables.put(field.getKey(), value(field.getValue(), file));
                }
            });
            JsonNode meta = state.path("#meta");
            steps.add(new Step(
                    meta.path("action").asText(steps.isEmpty() ? "Init" : "Next"),
                    strings(meta.path("arguments")),
                    variables));
        }
        JsonNode meta = document.path("#meta");
        int loop = document.path("loop").asInt(-1);
        if (loop >= steps.size()) {
            throw wrong(file.toString(), "loops back to state " + loop + " of " + steps.size());
        }
        return new Counterexample(
                meta.path("model").asText(String.valueOf(file.getFileName())),
                meta.path("source").asText("").replaceFirst("\\.tla$", ""),
                meta.path("violated").isTextual() ? meta.path("violated").asText() : null,
                steps,
                loop < 0 ? null : loop,
                meta.path("stutters").asBoolean());
    }

    private static @Nullable List<String> strings(JsonNode array) {
        if (!array.isArray()) {
            return null;
        }
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(item.asText()));
        return strings;
    }

    private static TlaValue value(JsonNode json, Path file) {
        if (json.isIntegralNumber()) {
            return new TlaValue.Int(json.bigIntegerValue());
        }
        if (json.isBoolean()) {
            return new TlaValue.Bool(json.booleanValue());
        }
        if (json.isTextual()) {
            return new TlaValue.Text(json.asText());
        }
        if (json.isArray()) {
            return new TlaValue.Seq(values(json, file));
        }
        if (json.path("#bigint").asText("").matches("-?\\d{1,1000}")) {
            return new TlaValue.Int(new BigInteger(json.path("#bigint").asText()));
        }
        if (json.has("#set")) {
            return new TlaValue.SetOf(values(json.path("#set"), file));
        }
        if (json.has("#tup")) {
            return new TlaValue.Seq(values(json.path("#tup"), file));
        }
        if (json.has("#map")) {
            Map<TlaValue, TlaValue> values = new LinkedHashMap<>();
            json.path("#map").forEach(pair -> values.put(value(pair.path(0), file), value(pair.path(1), file)));
            return new TlaValue.Fun(values);
        }
        if (json.has("#unserializable")) {
            return new TlaValue.Text(json.path("#unserializable").asText());
        }
        if (!json.isObject()) {
            throw wrong(file.toString(), "has a value that is none of ITF: " + json);
        }
        Map<String, TlaValue> fields = new LinkedHashMap<>();
        json.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue(), file)));
        return new TlaValue.Rec(fields);
    }

    private static List<TlaValue> values(JsonNode array, Path file) {
        List<TlaValue> values = new ArrayList<>();
        array.forEach(item -> values.add(value(item, file)));
        return values;
    }

    private static SpecException wrong(String where, String what) {
        return new SpecException(SpecException.Kind.INPUT, where, what, "a trace in ITF, such as spec check saves");
    }
}
