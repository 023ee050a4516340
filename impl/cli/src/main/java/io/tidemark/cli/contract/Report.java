package io.tidemark.cli.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command's JSON document in the making: the head that all have, then what the command adds, in that order. */
public final class Report {
    /** What a run says about a claim. */
    public enum Verdict {
        HOLDS,
        VIOLATED,
        UNKNOWN
    }

    private final String schema;
    private final ArrayNode reasons = JsonNodeFactory.instance.arrayNode();
    private final ArrayNode notTested = JsonNodeFactory.instance.arrayNode();
    private final ObjectNode artifacts = JsonNodeFactory.instance.objectNode();
    private final ObjectNode body = JsonNodeFactory.instance.objectNode();
    private ExitCode exitCode = ExitCode.OK;
    private @Nullable Verdict verdict;

    /**
     * An empty report that says "done".
     *
     * @param schema such as {@code tidemark.doctor/1}; {@code docs/schemas} has its file
     */
    public Report(String schema) {
        this.schema = schema;
        List.of("dir", "report", "history", "html").forEach(artifacts::putNull);
    }

    /** Sets how the command ends. */
    public Report exit(ExitCode code) {
        exitCode = code;
        return this;
    }

    /** Commands that judge nothing have no verdict. */
    public Report verdict(Verdict value) {
        verdict = value;
        return this;
    }

    public Report reason(String code, String message) {
        reasons.addObject().put("code", code).put("message", message);
        return this;
    }

    /** A line of what this run says nothing about. */
    public Report notTested(String what) {
        notTested.add(what);
        return this;
    }

    /**
     * Names a file that the run left.
     *
     * @param key dir, report, history or html; all but dir relative to dir
     */
    public Report artifact(String key, String path) {
        artifacts.put(key, path);
        return this;
    }

    /** What the command adds to the head that all have. */
    public ObjectNode body() {
        return body;
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** The document. */
    JsonNode toJson(ToolInfo tool, List<String> command, Instant startedAt, Instant now) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("schema", schema)
                .put("verdict", verdict == null ? null : verdict.name())
                .put("exitCode", exitCode.code());
        document.set("reasons", reasons);
        document.set("tool", tool.toJson());
        command.forEach(document.putArray("command")::add);
        document.put("startedAt", startedAt.truncatedTo(ChronoUnit.MILLIS).toString())
                .put("durationMs", ChronoUnit.MILLIS.between(startedAt, now));
        document.set("notTested", notTested);
        document.set("artifacts", artifacts);
        document.setAll(body);
        return document;
    }

    /** The document of a command that failed. */
    static JsonNode error(CliException error, ToolInfo tool) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("schema", "tidemark.error/1")
                .put("exitCode", error.exitCode().code());
        document.putObject("error")
                .put("code", error.code())
                .put("where", error.where())
                .put("message", error.what())
                .put("expected", error.expected())
                .put("nearest", error.nearest());
        document.set("tool", tool.toJson());
        return document;
    }
}
