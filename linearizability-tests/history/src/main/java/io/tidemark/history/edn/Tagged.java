package io.tidemark.history.edn;

import org.jspecify.annotations.Nullable;

/** A tagged element, {@code #tag value}: kept as it is, so that a history survives a round trip with tags unknown here. */
public record Tagged(String tag, @Nullable Object value) {
    public Tagged {
        Token.require("tag", tag);
        if (!Character.isLetter(tag.charAt(0))) {
            throw new IllegalArgumentException("tag: " + tag + " does not start with a letter");
        }
    }
}
