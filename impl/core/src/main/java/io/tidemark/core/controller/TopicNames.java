package io.tidemark.core.controller;

import org.jspecify.annotations.Nullable;

/** Kafka's rules for topic names. */
final class TopicNames {
    static final int MAX_LENGTH = 249;
    static final String METADATA_TOPIC = "__cluster_metadata";

    private TopicNames() {}

    /** What is wrong with the name; null when it is valid. */
    static @Nullable String problem(String name) {
        if (name.isEmpty()) {
            return "Topic name is invalid: it is empty";
        }
        if (name.equals(".") || name.equals("..")) {
            return "Topic name is invalid: '" + name + "' is not allowed";
        }
        if (name.length() > MAX_LENGTH) {
            return "Topic name is invalid: " + name.length() + " characters, at most " + MAX_LENGTH + " are allowed";
        }
        return name.chars().allMatch(TopicNames::legal)
                ? null
                : "Topic name is invalid: '" + name
                        + "' has illegal characters; ASCII letters, digits, '.', '_' and '-' are allowed";
    }

    private static boolean legal(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    /** Topics with the same unified name collide in metric names, where '.' and '_' look alike. */
    static String unified(String name) {
        return name.replace('.', '_');
    }
}
