package io.tidemark.history.edn;

/**
 * An EDN keyword, written {@code :name}.
 *
 * @param name without the colon; may hold one namespace slash
 */
public record Keyword(String name) implements Comparable<Keyword> {
    public Keyword {
        Token.require("keyword", name);
    }

    @Override
    public int compareTo(Keyword other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return ":" + name;
    }
}
