package io.tidemark.cli.contract;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has, before or after its name. */
public final class CommonOptions {
    /** What standard output carries. */
    public enum Format {
        text,
        json
    }

    @Option(
            names = "--format",
            scope = ScopeType.INHERIT,
            paramLabel = "text|json",
            description = "What standard output carries; json is exactly one document, also on errors.")
    public Format format = Format.text;

    @Option(
            names = "--out",
            scope = ScopeType.INHERIT,
            paramLabel = "FORMAT=FILE",
            description = "Also write the result to FILE, for example json=result.json. Repeatable.")
    public Map<String, Path> out = new LinkedHashMap<>();

    @Option(names = "--quiet", scope = ScopeType.INHERIT, description = "No progress on standard error.")
    public boolean quiet;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Stack traces and details on standard error.")
    public boolean debug;

    @Option(
            names = "--no-color",
            scope = ScopeType.INHERIT,
            description = "No colours (the environment variable NO_COLOR does the same).")
    public boolean noColor;
}
