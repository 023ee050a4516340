package io.tidemark.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.conformance.names.Tables;
import io.tidemark.conformance.world.Subject;
import io.tidemark.core.SpecAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Takes behaviours on cores, and tells which actions they took. */
final class BehaviourReplays {
    private final Set<String> taken = new TreeSet<>();
    private final List<String> wrong = new ArrayList<>();
    private int count;

    <C> void take(List<Counterexamples.Found> behaviours, Subject<C> subject) {
        for (Counterexamples.Found found : behaviours) {
            count++;
            new Replayer<>(subject.world(Set.of())).follow(found.calls(), found.states(), (step, elsewhere) -> {
                String call = step == 0 ? "Init" : found.calls().get(step - 1).toString();
                List<String> differences = elsewhere == null
                        ? List.of("refused")
                        : Replayer.differences(found.states().get(step), elsewhere);
                wrong.add("step " + step + " " + call + " of " + found.calls() + ": " + differences);
            });
            found.calls().forEach(call -> taken.add(call.name()));
        }
    }

    int count() {
        return count;
    }

    void assertAllTheSame() {
        assertThat(wrong).isEmpty();
    }

    /** Every action of the modules that the code has. */
    void assertCovers(String... modules) {
        for (String module : modules) {
            assertThat(taken)
                    .containsAll(Tables.compared(MutantReplays.SPEC, module)
                            .map(SpecAction::name)
                            .toList());
        }
    }
}
