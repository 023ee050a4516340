package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Vocabulary;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written down and never checked is told: here that it is told, in ModelsTest that there is nothing to tell. */
class CompletenessTest {
    @TempDir
    Path state;

    @Test
    void anActionThatNoModelTakesIsTold() throws InterruptedException {
        Vocabulary vocabulary = Vocabulary.read(Tiny.DIR);
        CheckResult passed = Tiny.check(Tiny.model("Counter"), state);
        assertThat(Coverage.untaken(List.of(passed), vocabulary)).containsExactly("Counter.Never");
        // What breaks on its way says nothing of actions, unless it is what must be reached: by that way they were
        // taken.
        CheckResult broken = Tiny.check(Tiny.checking("Counter", "ReachBoth"), state);
        assertThat(Coverage.untaken(List.of(broken), vocabulary))
                .containsExactly("Counter.Lower", "Counter.Never", "Counter.Raise");
        CheckResult reached = Tiny.check(Manifest.read(Tiny.DIR).model("reach-both"), state);
        assertThat(Coverage.untaken(List.of(reached), vocabulary)).containsExactly("Counter.Lower", "Counter.Never");
    }

    private static Model counter(ModelKind kind, String change) {
        Model model = Tiny.model("Counter");
        return new Model(
                model.name(),
                kind,
                model.set(),
                model.module(),
                model.config().with(List.of(ConfigChange.parse(change))),
                null,
                List.of(),
                model.expected(),
                null,
                "",
                model.where());
    }

    @Test
    void aConstantThatIsOffInEveryModelIsTold() {
        Model off = counter(ModelKind.MODEL, "Max=0");
        assertThat(Switches.neverOn(List.of(off))).containsExactly("Max");
        assertThat(Switches.neverOn(List.of(off, counter(ModelKind.LIVENESS, "Max=1"))))
                .isEmpty();
        // A mutant shows what it breaks, and a reach one way: neither is searched to its end.
        assertThat(Switches.neverOn(
                        List.of(off, counter(ModelKind.MUTANT, "Max=1"), counter(ModelKind.REACH, "Max=1"))))
                .containsExactly("Max");
    }
}
