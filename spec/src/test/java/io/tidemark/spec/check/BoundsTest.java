package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Expectation;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of models in words. */
class BoundsTest {
    private static final Path SPEC = Path.of("").toAbsolutePath();
    private static final Manifest MANIFEST = Manifest.read(SPEC);

    private static String words(Model model) {
        return Bounds.of(model, new Modules(SPEC)).inWords();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PartitionPair         | 2 replicas, 1 record, minIsr 1, acks=all; at most 1 duplicate, 1 fence, 1 ISR shrink, 1 lost message; cut off beyond 20 metadata records, 1 as leader epoch, 3 as partition epoch; reduced: Fused, Eager, CommitAtOnce
            without-hw-min-isr    | 2 replicas, 1 record, 1 at the start, minIsr 2, acks=all, ELR; at most 1 ISR shrink, 1 power loss; cut off beyond 20 metadata records, 3 as leader epoch, 5 as partition epoch; reduced: Fused, Eager, CommitAtOnce, without hw-min-isr
            PartitionLive         | 2 replicas, 1 record, minIsr 2, acks=all; at most 1 kill; reduced: CommitAtOnce, behaviours of LiveSpec
            MCQuorumElections     | 3 voters, records in an answer up to 9; at most 1 decision, 2 early timeouts; reduced: Fused, symmetry
            MCQuorumElectionsFree | 3 voters, records in an answer up to 9; at most 1 decision, 2 early timeouts; reduced: symmetry
            """)
    void everyBoundIsTold(String name, String told) {
        assertThat(words(MANIFEST.model(name))).isEqualTo(told);
    }

    @Test
    void whatNobodyKnowsIsToldAsItIs() {
        Model counter = Tiny.model("Counter");
        assertThat(words(counter)).isEqualTo("Max = 3");
        assertThat(words(counter.with(
                        counter.config().with(List.of(ConfigChange.parse("Raise<-Lower"))), Expectation.HOLDS)))
                .isEqualTo("Max = 3, Raise <- Lower");
        assertThat(words(Tiny.model("Stops"))).isEqualTo("none is stated");
    }

    /** A zero that the reader has set is told, where that of the model as it stands goes without saying. */
    @Test
    void aZeroThatWasSetIsTold() {
        Model model = MANIFEST.model("PartitionPair");
        List<ConfigChange> changes = List.of(ConfigChange.parse("Records=0"), ConfigChange.parse("Fences=0"));
        Model none = model.with(model.config().with(changes), Expectation.HOLDS);
        assertThat(Bounds.of(none, new Modules(SPEC), changes).inWords())
                .startsWith("2 replicas, 0 records, minIsr 1, acks=all; at most 1 duplicate, 0 fences, 1 ISR shrink,")
                .endsWith("; set by you: Records = 0, Fences = 0");
        assertThat(words(none)).startsWith("2 replicas, minIsr 1, acks=all; at most 1 duplicate, 1 ISR shrink,");
    }

    @Test
    void aBudgetWithoutAnEndIsToldSo() {
        assertThat(words(MANIFEST.model("MCQuorumPreVote"))).contains("any number of early timeouts");
    }
}
