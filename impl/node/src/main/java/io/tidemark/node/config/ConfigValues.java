package io.tidemark.node.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values of one file, each checked by itself, with Kafka's defaults behind them. */
final class ConfigValues {
    /** An unknown key with at most so many edits is a known one misspelt. */
    private static final int MISSPELT = 2;

    private final PropertiesFile file;
    private final List<ConfigError> errors = new ArrayList<>();
    private final List<String> unused = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /** @throws ConfigException naming every key and value that is wrong by itself */
    ConfigValues(PropertiesFile file) throws ConfigException {
        this.file = file;
        refuseOtherFiles(file);
        file.entries().forEach((key, entry) -> check(key, entry.value().trim()));
        for (ConfigKey key : ConfigKeys.ALL.values()) {
            if (key.required() && !file.entries().containsKey(key.name())) {
                errors.add(
                        new ConfigError("MISSING_KEY", file.name(), key.name() + " is not set", key.expected(), null));
            }
        }
        throwIfWrong();
    }

    /** A text or a program is no configuration: its first line that sets nothing says more than all its odd keys. */
    private static void refuseOtherFiles(PropertiesFile file) throws ConfigException {
        for (var entry : file.entries().entrySet()) {
            if (!entry.getValue().assigned() && !ConfigKeys.ALL.containsKey(entry.getKey())) {
                throw new ConfigException(
                        "UNREADABLE",
                        file.where(entry.getKey()),
                        "begins with '" + printable(entry.getKey()) + "' and sets no key",
                        "a server.properties of lines KEY=VALUE");
            }
        }
    }

    private static String printable(String text) {
        return text.codePoints()
                .limit(40)
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void check(String name, String value) {
        ConfigKey key = ConfigKeys.ALL.get(name);
        if (key == null) {
            checkUnknown(name);
            return;
        }
        switch (key.use()) {
            case UNUSED -> {
                unused.add(name);
                checkValue(key, value);
            }
            case DEFAULT_ONLY -> {
                if (!key.isDefault(value)) {
                    String shown = key.type() == ConfigKey.Type.PASSWORD ? name : name + "=" + value;
                    error("NOT_SERVED", name, shown + " is not served: " + key.text(), defaultOnly(key));
                }
            }
            case SERVED -> checkValue(key, value);
        }
    }

    private void checkValue(ConfigKey key, String value) {
        if (!isValid(key, value)) {
            wrongValue(key.name(), key.expected());
        }
    }

    private static String defaultOnly(ConfigKey key) {
        String value = key.defaultValue();
        return value == null || value.isEmpty() ? "remove it" : "remove it, or set the default " + value;
    }

    private void checkUnknown(String name) {
        String nearest = Nearest.to(name, ConfigKeys.ALL.keySet(), MISSPELT);
        if (nearest != null) {
            errors.add(new ConfigError(
                    "BAD_KEY", file.where(name), name + " is not a key", "did you mean " + nearest + "?", nearest));
        } else if (name.startsWith("listener.name.")) {
            error("NOT_SERVED", name, name + " is not served: listeners have no settings of their own", "remove it");
        } else {
            unknown.add(name);
        }
    }

    private static boolean isValid(ConfigKey key, String value) {
        if (key.type() == ConfigKey.Type.BOOLEAN) {
            return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
        }
        if (key.type().isWhole()) {
            try {
                long number = Long.parseLong(value);
                return number >= key.type().min()
                        && number <= key.type().max()
                        && key.range().contains(number);
            } catch (NumberFormatException e) {
                return false;
            }
        }
        if (key.type() == ConfigKey.Type.LIST) {
            List<String> parts = ConfigKey.list(value);
            return !(key.required() && parts.isEmpty())
                    && parts.stream()
                            .allMatch(part -> !part.isEmpty() && key.range().contains(part));
        }
        return key.range().contains(value);
    }

    /** Keys that Kafka knows and nothing here depends on, as set in the file. */
    List<String> unused() {
        return unused;
    }

    List<String> unknown() {
        return unknown;
    }

    boolean isSet(String key) {
        return file.entries().containsKey(key);
    }

    /** What the file sets, known keys only. */
    SortedMap<String, String> given() {
        TreeMap<String, String> given = new TreeMap<>();
        file.entries().forEach((key, entry) -> {
            if (ConfigKeys.ALL.containsKey(key)) {
                given.put(key, entry.value().trim());
            }
        });
        return given;
    }

    /** The value or its default; null where it has none, or is empty. */
    @Nullable
    String text(String key) {
        PropertiesFile.Entry entry = file.entries().get(key);
        String value = entry == null
                ? ConfigKeys.get(key).defaultValue()
                : entry.value().trim();
        return value == null || value.isEmpty() ? null : value;
    }

    List<String> list(String key) {
        String value = text(key);
        return value == null ? List.of() : ConfigKey.list(value);
    }

    boolean flag(String key) {
        return Boolean.parseBoolean(text(key));
    }

    /** A value whose key is of type INT, checked already. */
    int number(String key) {
        return Math.toIntExact(longNumber(key));
    }

    long longNumber(String key) {
        return Long.parseLong(Objects.requireNonNull(text(key), key));
    }

    void wrongValue(String key, String expected) {
        PropertiesFile.Entry entry = file.entries().get(key);
        String value = entry == null
                ? ConfigKeys.get(key).defaultValue()
                : entry.value().trim();
        error("BAD_VALUE", key, key + "=" + Objects.requireNonNullElse(value, ""), expected);
    }

    void error(String code, String key, String message, String expected) {
        errors.add(new ConfigError(code, file.where(key), message, expected, null));
    }

    boolean isWrong() {
        return !errors.isEmpty();
    }

    void throwIfWrong() throws ConfigException {
        if (isWrong()) {
            throw new ConfigException(errors);
        }
    }
}
