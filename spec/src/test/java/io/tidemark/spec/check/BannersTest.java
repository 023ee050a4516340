package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.model.Modules;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Sentences of the modules, about who took part. */
class BannersTest {
    @Test
    void whoTookPartStandsForTheParameters() {
        UnaryOperator<String> words = new Banners(new Modules(Path.of("").toAbsolutePath())).of("Quorum");
        assertThat(words.apply("HandleVoteRequest(n2, n1)"))
                .isEqualTo("n2 answers n1's request for a vote or a pre-vote.");
        assertThat(words.apply("HandleVoteRequest")).isEqualTo("v answers c's request for a vote or a pre-vote.");
        assertThat(words.apply("LogMatching")).startsWith("Two logs with a record of the same epoch");
        assertThat(words.apply("Init")).isEmpty();
    }

    @Test
    void anArticleIsNoParameterAndAnUnknownArgumentNone() {
        assertThat(Banners.named("a asks b's leader.", List.of("a", "b"), List.of("b1", "b2")))
                .isEqualTo("a asks b2's leader.");
        assertThat(Banners.named("b asks l.", List.of("b", "l"), List.of("b1"))).isEqualTo("b asks l.");
    }
}
