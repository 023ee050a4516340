package io.tidemark.spec.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommentsTest {
    @Test
    void commentsGoAndColumnsStay() {
        assertThat(Comments.without("A == /\\ x \\* to the end\n(* b (* nested *)\n *)\n     /\\ (*c*) y\n"))
                .isEqualTo("A == /\\ x\n     /\\       y\n");
    }

    @Test
    void stringsHaveNone() {
        assertThat(Comments.without("A == \"(* \\\" \\* \" \\* gone")).isEqualTo("A == \"(* \\\" \\* \"");
    }
}
