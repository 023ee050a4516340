package io.tidemark.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.model.Vocabulary;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An action that the vocabulary has and a layer does not know would be followed by nobody. */
class TracedActionsTest {
    private static Set<String> rows(Predicate<Vocabulary.ActionRow> of) {
        return Vocabulary.read(Path.of(System.getProperty("tidemark.root", "../.."), "spec")).actions().stream()
                .filter(of)
                .map(Vocabulary.ActionRow::action)
                .collect(Collectors.toSet());
    }

    @Test
    void theControllersLayerFollowsEachActionOfAnActiveController() {
        assertThat(ControllerSteps.ACTIONS)
                .isEqualTo(rows(row -> row.module().equals("Controller")
                        && row.code().equals("yes")
                        && !row.reason().startsWith("at the broker")));
    }

    @Test
    void theQuorumsLayerFollowsEachActionOfAVoterAndItsRestart() {
        assertThat(QuorumSteps.NAMES)
                .isEqualTo(rows(row -> row.module().equals("Quorum")
                        && (row.code().equals("yes") || row.action().equals("RestartNode"))));
    }
}
