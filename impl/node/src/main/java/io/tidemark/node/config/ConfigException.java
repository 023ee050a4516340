package io.tidemark.node.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration or directory that a node cannot start with; everything found is named. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigError> errors;

    public ConfigException(List<ConfigError> errors) {
        super(errors.stream().map(ConfigError::toString).collect(Collectors.joining("\n")));
        this.errors = List.copyOf(errors);
    }

    public ConfigException(String code, String where, String message, String expected) {
        this(List.of(new ConfigError(code, where, message, expected, null)));
    }

    /** In the order of the file, at least one. */
    public List<ConfigError> errors() {
        return errors;
    }
}
