package io.tidemark.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TopicNamesTest {
    @Test
    void anyMixOfTheAllowedCharactersIsValidUpToTheLimit() {
        assertThat(TopicNames.problem("a.B_9-")).isNull();
        assertThat(TopicNames.problem("x".repeat(249))).isNull();
        assertThat(TopicNames.problem("...")).isNull();
    }

    @Test
    void theReasonIsTold() {
        assertThat(TopicNames.problem("x".repeat(250))).contains("250 characters");
        assertThat(TopicNames.problem("bad/name")).contains("'bad/name' has illegal characters");
        assertThat(TopicNames.problem("\u00e4")).contains("illegal");
        assertThat(TopicNames.problem("..")).contains("'..' is not allowed");
        assertThat(TopicNames.problem("")).contains("empty");
    }
}
