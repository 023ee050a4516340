package io.tidemark.spec.model;

import java.util.Arrays;
import java.util.List;

/**
 * One change to a configuration.
 *
 * @param name a constant, or a keyword of the configuration such as {@code ACTION_CONSTRAINTS}
 * @param substitution {@code <-}: the name stands for an operator; else {@code =}
 * @param value empty takes a keyword away
 */
public record ConfigChange(String name, boolean substitution, String value) {
    /** From {@code NAME=VALUE}, {@code NAME<-OPERATOR}. */
    public static ConfigChange parse(String text) {
        int arrow = text.indexOf("<-");
        int equals = text.indexOf('=');
        boolean substitution = arrow > 0 && (equals < 0 || arrow < equals);
        int at = substitution ? arrow : equals;
        if (at <= 0) {
            throw new IllegalArgumentException(text);
        }
        return new ConfigChange(
                text.substring(0, at).strip(),
                substitution,
                text.substring(at + (substitution ? 2 : 1)).strip());
    }

    /** From a manifest's cell: changes parted by semicolons. */
    static List<ConfigChange> list(Tsv.Row row, String cell) {
        return Arrays.stream(cell.split(";", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> {
                    try {
                        return parse(text);
                    } catch (IllegalArgumentException e) {
                        throw row.wrong(
                                text + " is no change of a constant", "NAME=VALUE or NAME<-OPERATOR, parted by ;");
                    }
                })
                .toList();
    }

    /** Whether it changes something other than a constant. */
    public boolean isKeyword() {
        return ModelConfig.isKeyword(name);
    }

    @Override
    public String toString() {
        return name + (substitution ? " <- " : " = ") + value;
    }
}
