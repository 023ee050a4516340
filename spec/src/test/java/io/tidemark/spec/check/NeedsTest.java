package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.ActionRow;
import io.tidemark.spec.tlc.TlcResult.ActionCount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties that hold because what they speak of never happens. */
class NeedsTest {
    private static final Path SPEC = Path.of("").toAbsolutePath();

    @TempDir
    Path state;

    private static Map<String, String> vacuous(String model, ActionCount... counts) {
        Modules modules = new Modules(SPEC);
        Model row = Manifest.read(SPEC).model(model);
        return Needs.of(modules).vacuous(row, List.of(counts));
    }

    @Test
    void aPropertyOfWhatIsNeverTakenIsVacuous() {
        ActionCount reads = new ActionCount("ConsumerRead", "Partition", 0, 0);
        assertThat(vacuous("PartitionPair", reads))
                .containsEntry("ReadsRepeatable", "ConsumerRead is never taken")
                .containsEntry("ExposedCommitted", "ConsumerRead is never taken")
                .containsEntry("IsrElrDisjoint", "ElrEnabled is FALSE")
                .doesNotContainKeys("LogMatching", "IsrNeverEmptyWithoutElr", "AckedCommitted", "FlushedWithinLog");
        assertThat(vacuous("PartitionPair", new ActionCount("ConsumerRead", "Partition", 3, 1)))
                .doesNotContainKeys("ReadsRepeatable", "ExposedCommitted");
        // Nobody has counted: nobody knows.
        assertThat(vacuous("PartitionPair")).doesNotContainKey("ReadsRepeatable");
    }

    @Test
    void oneOfSeveralActionsIsEnough() {
        List<ActionCount> none = new ArrayList<>();
        for (String action : List.of(
                "PersistLog", "PowerLoss", "HandleBrokerHeartbeatResponse", "DeleteRecords", "RetentionTimeout")) {
            none.add(new ActionCount(action, "Partition", 0, 0));
        }
        assertThat(vacuous("PartitionPair", none.toArray(ActionCount[]::new)).get("FlushedWithinLog"))
                .isEqualTo(
                        "PersistLog is never taken, and PowerLoss is never taken, and HandleBrokerHeartbeatResponse is"
                                + " never taken, and DeleteRecords is never taken, and RetentionTimeout is never taken");
        none.set(0, new ActionCount("PersistLog", "Partition", 1, 1));
        assertThat(vacuous("PartitionPair", none.toArray(ActionCount[]::new))).doesNotContainKey("FlushedWithinLog");
    }

    @Test
    void aCompleteSearchTellsIt() throws InterruptedException {
        CheckResult result = Tiny.check(Manifest.read(Tiny.DIR).model("rises"), state);
        assertThat(result.properties())
                .containsExactly(
                        new CheckResult.PropertyVerdict("NeverFalls", "property", "HOLDS", "Lower is never taken"));
    }

    @Test
    void theTableNamesActionsAndConstants() {
        Set<String> actions =
                Vocabulary.read(SPEC).actions().stream().map(ActionRow::action).collect(Collectors.toSet());
        Set<String> constants = Manifest.read(SPEC).models().stream()
                .flatMap(model -> model.config().constants().keySet().stream())
                .collect(Collectors.toSet());
        Vocabulary.properties(SPEC).stream()
                .filter(row -> !row.needs().isEmpty())
                .forEach(row -> assertThat(Needs.parse(row.needs()))
                        .as(row.name())
                        .allSatisfy(group -> assertThat(group)
                                .allMatch(part -> part.contains("=")
                                        ? constants.contains(part.substring(0, part.indexOf('=')))
                                        : actions.contains(part))));
    }
}
