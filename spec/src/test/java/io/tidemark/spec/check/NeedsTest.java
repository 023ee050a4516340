package io.tidemark.spec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.model.ConfigChange;
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
import java.util.stream.Stream;
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

    /** All are taken but these, of which TLC tells nothing. */
    private static List<ActionCount> allBut(String... never) {
        return Vocabulary.read(SPEC).actions().stream()
                .filter(row -> !List.of(never).contains(row.action()))
                .map(row -> new ActionCount(row.action(), row.module(), 7, 1))
                .toList();
    }

    @Test
    void aPropertyOfWhatIsNeverTakenIsVacuous() {
        List<ActionCount> counts = new ArrayList<>(allBut("ConsumerRead"));
        counts.add(new ActionCount("ConsumerRead", "Partition", 0, 0));
        assertThat(vacuous("PartitionPair", counts.toArray(ActionCount[]::new)))
                .containsEntry("ReadsRepeatable", "ConsumerRead is never taken")
                .containsEntry("ExposedCommitted", "ConsumerRead is never taken")
                .containsEntry("IsrElrDisjoint", "ElrEnabled is FALSE")
                .doesNotContainKeys("LogMatching", "IsrNeverEmptyWithoutElr", "AckedCommitted", "FlushedWithinLog");
        assertThat(vacuous("PartitionPair", allBut().toArray(ActionCount[]::new)))
                .doesNotContainKeys("ReadsRepeatable", "ExposedCommitted");
        // Nobody has counted: nobody knows.
        assertThat(vacuous("PartitionPair")).doesNotContainKey("ReadsRepeatable");
    }

    @Test
    void oneOfSeveralActionsIsEnough() {
        List<ActionCount> none = new ArrayList<>(allBut(
                "PersistLog", "PowerLoss", "HandleBrokerHeartbeatResponse", "DeleteRecords", "RetentionTimeout"));
        assertThat(vacuous("PartitionPair", none.toArray(ActionCount[]::new)).get("FlushedWithinLog"))
                .isEqualTo("PersistLog is never taken, PowerLoss is never taken, HandleBrokerHeartbeatResponse is never"
                        + " taken, DeleteRecords is never taken, RetentionTimeout is never taken");
        none.add(new ActionCount("PersistLog", "Partition", 1, 1));
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
        Set<String> settings = Manifest.read(SPEC).models().stream()
                .flatMap(model -> Stream.concat(
                        model.config().constants().keySet().stream(), model.config().keywords().keySet().stream()))
                .collect(Collectors.toSet());
        Vocabulary.properties(SPEC).stream()
                .filter(row -> !row.needs().isEmpty())
                .forEach(row -> assertThat(Needs.parse(row.needs()))
                        .as(row.name())
                        .allSatisfy(group -> assertThat(group).allMatch(part -> {
                            String setting = part.replaceFirst("[=#].*", "");
                            return part.equals(setting) ? actions.contains(part) : settings.contains(setting);
                        })));
    }

    /**
     * What speaks of records: with fetches and leaders in plenty, and no record, it says nothing. (Nobody reads then: of
     * reads is no need to ask twice.)
     */
    @Test
    void withoutRecordsWhatSpeaksOfThemIsVacuous() {
        Model model = Manifest.read(SPEC).model("PartitionPair");
        Model none = model.with(model.config().with(List.of(ConfigChange.parse("Records=0"))), model.expected());
        // TLC counts no action over an empty set of ids, and does not count to 0 either.
        List<ActionCount> counts = allBut("HandleProduce");
        String why = "HandleProduce is never taken, InitialRecords is 0, SPECIFICATION is Spec";
        Map<String, String> vacuous = Needs.of(new Modules(SPEC)).vacuous(none, counts);
        assertThat(vacuous)
                .containsOnlyKeys(
                        "AckedDurable",
                        "AckedCommitted",
                        "ElectableComplete",
                        "LogMatching",
                        "NoDivergenceBelowHw",
                        "EpochsAscend",
                        "HwWithinLog",
                        "FlushedWithinLog",
                        "AcksOnlyByLeader",
                        "HwMonotone",
                        "IsrElrDisjoint",
                        "ElrOnlyBelowMinIsr");
        vacuous.keySet().removeAll(Set.of("IsrElrDisjoint", "ElrOnlyBelowMinIsr"));
        assertThat(vacuous).allSatisfy((property, reason) -> assertThat(reason).isEqualTo(why));
        // Records that are there at the start are records.
        for (String change : List.of("InitialRecords=1", "SPECIFICATION=FromHalf")) {
            Model some = none.with(none.config().with(List.of(ConfigChange.parse(change))), none.expected());
            assertThat(Needs.of(new Modules(SPEC)).vacuous(some, counts))
                    .as(change)
                    .containsOnlyKeys("IsrElrDisjoint", "ElrOnlyBelowMinIsr");
        }
    }

    /** An action that a mutant has put another in place of is taken under that one's name. */
    @Test
    void anActionThatWasReplacedIsNotMissed() {
        Model model = Manifest.read(SPEC).model("MCQuorumLed");
        List<ActionCount> counts = allBut("PersistMetadata", "HandleMetadataFetch", "HandleMetadataFetchResponse");
        assertThat(Needs.of(new Modules(SPEC)).vacuous(model, counts)).containsKey("StateMachineSafety");
        Model replaced = model.with(
                model.config().with(List.of(ConfigChange.parse("PersistMetadata<-PersistAndDecide"))),
                model.expected());
        assertThat(Needs.of(new Modules(SPEC)).vacuous(replaced, counts)).doesNotContainKey("StateMachineSafety");
    }

    /** One group alone is not enough. */
    @Test
    void whatIsAppendedAndNeverCommittedIsNotEnough() {
        List<ActionCount> counts = allBut(
                "HandleProduce", "HandleFetch", "PersistLog", "HandleAlterPartitionResponse", "ApplyPartitionChange");
        Model model = Manifest.read(SPEC).model("PartitionPair");
        Model some = model.with(model.config().with(List.of(ConfigChange.parse("InitialRecords=1"))), model.expected());
        assertThat(Needs.of(new Modules(SPEC)).vacuous(some, counts).get("AckedDurable"))
                .startsWith("HandleProduce is never taken, HandleFetch is never taken, ");
    }
}
