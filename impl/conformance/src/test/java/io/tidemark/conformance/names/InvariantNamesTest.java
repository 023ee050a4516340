package io.tidemark.conformance.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.tidemark.simulation.Violation;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.model.Vocabulary.PropertyRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One name for one invariant: what the models check and what core and simulator check is in {@code spec/invariants.tsv}, with the
 * classes that do, and what the code alone checks in the table of {@code docs/simulation.md}. The names of the code are those
 * that its classes say.
 */
class InvariantNamesTest {
    private static final Path ROOT = Path.of(System.getProperty("tidemark.root", "../.."));
    private static final Path SPEC = ROOT.resolve("spec");
    private static final String TABLE = "spec/invariants.tsv";
    private static final String PAGE = "docs/simulation.md";
    private static final Pattern LINE = Pattern.compile("\\| `(\\w+)` \\| `([\\w., ]+)` \\| [^|]+ \\| [^|]+ \\|");

    private static final SortedMap<String, SortedSet<String>> CHECKED = CheckedInvariants.all();
    private static final SortedMap<String, SortedSet<String>> DEFINED = defined();

    // ---- What is held together

    /** The table of the page: what the code alone checks. Names to classes. */
    private static SortedMap<String, Set<String>> ofPage() throws IOException {
        SortedMap<String, Set<String>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve(PAGE))) {
            if (line.startsWith("| `")) {
                Matcher row = LINE.matcher(line);
                assertThat(line).as("a row of the table in %s", PAGE).matches(LINE);
                if (row.matches()) {
                    assertThat(rows).as("names of the table in %s", PAGE).doesNotContainKey(row.group(1));
                    rows.put(row.group(1), Set.of(row.group(2).split(", ", -1)));
                }
            }
        }
        return rows;
    }

    /** What the classes say: read once, the caller's own to change. */
    private static SortedMap<String, SortedSet<String>> checked() {
        return new TreeMap<>(CHECKED);
    }

    private static List<PropertyRow> ofTable() {
        return Vocabulary.properties(SPEC);
    }

    /** What the modules of the specification and of its models define; by name, each place once ({@code Durability.tla:12}). */
    private static SortedMap<String, SortedSet<String>> defined() {
        SortedMap<String, SortedSet<String>> places = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SPEC, 2)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".tla")).toList()) {
                SpecReader.definitions(file, List.of(SPEC, SPEC.resolve("models")))
                        .forEach((name, definition) -> places.computeIfAbsent(name, key -> new TreeSet<>())
                                .add(definition.place()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return places;
    }

    /** Where the module of a row defines the invariant, or where a model of it does. */
    private static String place(PropertyRow row) {
        SortedSet<String> places = DEFINED.getOrDefault(row.name(), new TreeSet<>(Set.of("no module")));
        return places.stream()
                .filter(place -> place.startsWith(row.module() + ".tla:"))
                .findFirst()
                .orElse(places.first());
    }

    /** Names to what the table of the specification, or the page, says of them, against what the classes say. */
    private static List<String> wrong(
            List<PropertyRow> table, SortedMap<String, Set<String>> page, SortedMap<String, SortedSet<String>> checked)
            throws IOException {
        List<String> wrong = new ArrayList<>();
        SortedMap<String, Set<String>> bound = new TreeMap<>();
        for (PropertyRow row : table) {
            bound.computeIfAbsent(row.name(), key -> new TreeSet<>()).addAll(row.classes());
            SortedSet<String> checking = checked.getOrDefault(row.name(), new TreeSet<>());
            if (row.classes().isEmpty() && !checking.isEmpty()) {
                wrong.add("invariant " + row.name() + ": at " + place(row) + ", no class in " + TABLE
                        + ", and checked in " + checking);
            } else if (row.classes().isEmpty() && row.reason().isEmpty()) {
                wrong.add("invariant " + row.name() + ": at " + place(row) + ", no class in " + TABLE
                        + ", and no reason");
            }
            wrong.addAll(unchecked(row.name(), TABLE, row.classes(), checking));
        }
        page.forEach((name, classes) -> {
            if (bound.containsKey(name) || DEFINED.containsKey(name)) {
                wrong.add("invariant " + name + ": in " + PAGE + ", and a name of "
                        + DEFINED.getOrDefault(name, new TreeSet<>(Set.of(TABLE))));
            }
            wrong.addAll(unchecked(name, PAGE, classes, checked.getOrDefault(name, new TreeSet<>())));
        });
        checked.forEach((name, classes) -> {
            Set<String> listed = new TreeSet<>(bound.getOrDefault(name, page.getOrDefault(name, Set.of())));
            boolean known = bound.containsKey(name) || page.containsKey(name);
            for (String type : classes) {
                if (!known || (!listed.isEmpty() && !listed.contains(type))) {
                    wrong.add("invariant " + name + ": in io.tidemark." + type + ", not in " + TABLE + " or " + PAGE);
                }
            }
        });
        return wrong;
    }

    private static List<String> unchecked(String name, String where, Iterable<String> classes, Set<String> checking) {
        List<String> wrong = new ArrayList<>();
        for (String type : classes) {
            if (!checking.contains(type)) {
                wrong.add("invariant " + name + ": in " + where + ", not in io.tidemark." + type);
            }
        }
        return wrong;
    }

    /** What models check is in the table, and nothing else is. */
    private static List<String> models(List<PropertyRow> table) {
        SortedMap<String, String> checked = new TreeMap<>();
        for (Model model : Manifest.read(SPEC).models()) {
            if (model.kind() != ModelKind.REACH) {
                Stream.concat(model.config().invariants().stream(), model.config().properties().stream())
                        .forEach(name -> checked.putIfAbsent(name, model.where()));
            }
        }
        SortedMap<String, String> listed = new TreeMap<>();
        table.forEach(row -> listed.put(row.name(), TABLE));
        return Binding.same("invariant", checked, "any model of the manifest", listed, TABLE);
    }

    @Test
    void whatModelsCheckIsInTheTable() {
        assertThat(models(ofTable())).isEmpty();
    }

    @Test
    void aModuleDefinesEachRow() {
        assertThat(ofTable()).allSatisfy(row -> assertThat(place(row)).matches("\\w+\\.tla:\\d+"));
    }

    @Test
    void whatTheCodeChecksIsInTheTableOrOnThePage() throws IOException {
        assertThat(wrong(ofTable(), ofPage(), checked())).isEmpty();
    }

    // ---- What must not pass

    private static List<PropertyRow> with(String name, UnaryOperator<PropertyRow> change) {
        List<PropertyRow> rows = ofTable();
        List<PropertyRow> changed = rows.stream()
                .map(row -> row.name().equals(name) ? change.apply(row) : row)
                .toList();
        assertThat(changed).isNotEqualTo(rows);
        return changed;
    }

    private static PropertyRow of(PropertyRow row, String code, String reason) {
        return new PropertyRow(row.module(), row.name(), code, reason, row.needs());
    }

    @Test
    void anInvariantOfModelsThatTheTableLacksIsTold() {
        List<PropertyRow> rows = new ArrayList<>(ofTable());
        rows.removeIf(row -> row.name().equals("LeaderInIsr"));
        assertThat(models(rows))
                .singleElement()
                .asString()
                .matches("invariant LeaderInIsr: at .*manifest.*, not in spec/invariants.tsv");
    }

    @Test
    void aRowWithoutAClassThoughOneChecksItIsTold() throws IOException {
        List<PropertyRow> rows = with("TakesOfThisEpoch", row -> of(row, "", "of one step"));
        assertThat(wrong(rows, ofPage(), checked()))
                .singleElement()
                .asString()
                .matches("invariant TakesOfThisEpoch: at Durability\\.tla:\\d+, no class in spec/invariants\\.tsv, and"
                        + " checked in \\[simulation\\.StepInvariants\\]");
    }

    /** Of a name that two modules have, each row has its class. */
    @Test
    void oneOfTwoRowsWithoutAClassIsTold() throws IOException {
        List<PropertyRow> rows =
                with("OneLeaderPerEpoch", row -> row.module().equals("Quorum") ? of(row, "", "of the quorum") : row);
        assertThat(wrong(rows, ofPage(), checked()))
                .singleElement()
                .asString()
                .matches("invariant OneLeaderPerEpoch: at Quorum\\.tla:\\d+, no class in spec/invariants\\.tsv, and"
                        + " checked in \\[simulation\\.Invariants\\]");
    }

    @Test
    void aRowWithNeitherClassNorReasonIsTold() throws IOException {
        List<PropertyRow> rows = with("NoCutBelowHw", row -> of(row, "", ""));
        assertThat(wrong(rows, ofPage(), checked()))
                .singleElement()
                .asString()
                .matches(
                        "invariant NoCutBelowHw: at Quorum\\.tla:\\d+, no class in spec/invariants\\.tsv, and no reason");
    }

    @Test
    void aClassThatDoesNotCheckTheNameIsTold() throws IOException {
        List<PropertyRow> rows =
                with("LeaderInIsr", row -> of(row, row.code() + ", core.partition.PartitionInvariants", ""));
        assertThat(wrong(rows, ofPage(), checked()))
                .containsExactly("invariant LeaderInIsr: in spec/invariants.tsv, not in"
                        + " io.tidemark.core.partition.PartitionInvariants");
        SortedMap<String, Set<String>> page = ofPage();
        page.put("VotesOnDisk", Set.of("simulation.Promises", "simulation.Votes"));
        assertThat(wrong(ofTable(), page, checked()))
                .containsExactly("invariant VotesOnDisk: in docs/simulation.md, not in io.tidemark.simulation.Votes");
    }

    @Test
    void aSecondClassThatChecksTheNameIsTold() throws IOException {
        List<PropertyRow> rows = with("ElectableComplete", row -> of(row, "simulation.Exposure", ""));
        assertThat(wrong(rows, ofPage(), checked()))
                .containsExactly("invariant ElectableComplete: in io.tidemark.simulation.Electable, not in"
                        + " spec/invariants.tsv or docs/simulation.md");
    }

    /** As a class of the simulator would say it. */
    private static final class Unlisted {
        static void check() {
            throw new Violation("KnownToNobody", "this class");
        }
    }

    @Test
    void anInvariantOfTheCodeAloneIsTold() throws IOException {
        SortedMap<String, SortedSet<String>> checked = checked();
        checked.putAll(CheckedInvariants.of(new ClassFileImporter().importClasses(Unlisted.class)));
        SortedMap<String, Set<String>> page = ofPage();
        page.remove("VotesOnDisk");
        assertThat(wrong(ofTable(), page, checked))
                .containsExactly(
                        "invariant KnownToNobody: in io.tidemark.conformance.names.InvariantNamesTest, not in"
                                + " spec/invariants.tsv or docs/simulation.md",
                        "invariant VotesOnDisk: in io.tidemark.simulation.Promises, not in spec/invariants.tsv or"
                                + " docs/simulation.md");
    }

    @Test
    void aNameOfTheSpecificationOnThePageIsTold() throws IOException {
        SortedMap<String, SortedSet<String>> checked = checked();
        checked.put("MaximalIsr", new TreeSet<>(Set.of("simulation.Electable")));
        SortedMap<String, Set<String>> page = ofPage();
        page.put("MaximalIsr", Set.of("simulation.Electable"));
        assertThat(wrong(ofTable(), page, checked))
                .singleElement()
                .asString()
                .matches("invariant MaximalIsr: in docs/simulation\\.md, and a name of \\[\\w+\\.tla:\\d+\\]");
    }
}
