package io.tidemark.spec.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ModelConfigTest {
    private static final String TEXT = """
            SPECIFICATION Spec \\* a comment
            CONSTANTS
                Nil = Nil
                Assignment <- MCAssignment
                Initial = {b1, b2}
                Off = {} (* another *)
            CONSTANT Max = 3
            ACTION_CONSTRAINTS Fused Eager
            CHECK_DEADLOCK FALSE
            INVARIANT TypeOk
            INVARIANTS A B
                C
            PROPERTY P
            """;

    @Test
    void isReadAsTlcReadsIt() {
        ModelConfig config = ModelConfig.parse(TEXT, "test");
        assertThat(config.keywords())
                .containsEntry("SPECIFICATION", "Spec")
                .containsEntry("ACTION_CONSTRAINTS", "Fused Eager")
                .containsEntry("CHECK_DEADLOCK", "FALSE");
        assertThat(config.constants())
                .containsEntry("Assignment", "<- MCAssignment")
                .containsEntry("Initial", "= {b1, b2}")
                .containsEntry("Off", "= {}")
                .containsEntry("Max", "= 3");
        assertThat(config.invariants()).containsExactly("TypeOk", "A", "B", "C");
        assertThat(config.properties()).containsExactly("P");
        assertThat(ModelConfig.parse(config.render(), "test")).isEqualTo(config);
    }

    @Test
    void changesOverrideConstantsAndKeywords() {
        ModelConfig config = ModelConfig.parse(TEXT, "test")
                .with(List.of(
                        ConfigChange.parse("Max=4"),
                        ConfigChange.parse("Initial<-Others"),
                        ConfigChange.parse("ACTION_CONSTRAINT=Fused"),
                        ConfigChange.parse("CHECK_DEADLOCK=")));
        assertThat(config.constants()).containsEntry("Max", "= 4").containsEntry("Initial", "<- Others");
        assertThat(config.keywords())
                .containsEntry("ACTION_CONSTRAINTS", "Fused")
                .doesNotContainKey("CHECK_DEADLOCK");
    }

    @Test
    void guardsAreSwitchedOffBesideOthers() {
        ModelConfig config =
                ModelConfig.parse(TEXT, "test").without("vote-once").without("vote-key");
        assertThat(config.constants()).containsEntry("Off", "= {\"vote-once\", \"vote-key\"}");
        assertThat(config.off()).containsExactly("vote-once", "vote-key");
    }
}
