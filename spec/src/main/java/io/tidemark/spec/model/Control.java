package io.tidemark.spec.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a row is compared with: the cell {@code control}, a row's name and, after {@code but}, the constants in which the two
 * differ. A control has the same module, the same bounds and the same specification, and all holds there.
 */
final class Control {
    /** What a row may take away beside any control: guards, and the fairness of a group of actions. */
    private static final Set<String> TAKEN_AWAY = Set.of("Off", "Unfair");

    private static final String BUT = " but ";

    private Control() {}

    /** The control's name, null where the row has none. */
    static @Nullable String control(Tsv.Row row) {
        String name = cell(row)[0];
        return name.isEmpty() ? null : name;
    }

    private static String[] cell(Tsv.Row row) {
        return row.get("control").split(BUT, 2);
    }

    private static Set<String> differing(Tsv.Row row) {
        String[] cell = cell(row);
        return cell.length == 1 ? Set.of() : new TreeSet<>(List.of(cell[1].split(", *", -1)));
    }

    /**
     * A mutant has a control that passes and checks what the mutant breaks; whatever row has a control differs from it in what
     * it takes away, in operators that it puts in place of the modules' own, and in the constants that it names, alone.
     *
     * @param models all rows, by name
     */
    static void check(Tsv.Row row, Map<String, Model> models) {
        Model model = models.get(row.get("name"));
        String name = control(row);
        if (model == null || (name == null && model.kind() != ModelKind.MUTANT)) {
            return;
        }
        Model control = name == null ? null : models.get(name);
        if (control == null || !control.expected().holds()) {
            throw row.wrong(
                    "the control is " + (name == null ? "missing" : name),
                    "a row with the same bounds that expects PASSED");
        }
        String broken = model.expected().violated();
        if (model.kind() == ModelKind.MUTANT
                && broken != null
                && !broken.equals(Manifest.DEADLOCK)
                && !control.config().invariants().contains(broken)
                && !control.config().properties().contains(broken)) {
            throw row.wrong(
                    "the control " + name + " does not check " + broken, "a row with the same bounds that checks it");
        }
        checkBounds(row, model, control);
    }

    private static void checkBounds(Tsv.Row row, Model model, Model control) {
        if (!model.module().equals(control.module())) {
            throw row.wrong(
                    "the control " + control.name() + " is of " + control.moduleName(), "one of " + model.moduleName());
        }
        Map<String, String> here = settings(model.config());
        Map<String, String> there = settings(control.config());
        Set<String> declared = new LinkedHashSet<>(differing(row));
        Set<String> names = new TreeSet<>(here.keySet());
        names.addAll(there.keySet());
        names.removeAll(TAKEN_AWAY);
        names.removeIf(setting -> here.getOrDefault(setting, "").equals(there.getOrDefault(setting, "")));
        // An operator of the modules, which no configuration of theirs replaces: that is what the row takes away.
        names.removeIf(setting -> !there.containsKey(setting)
                && model.changes().stream()
                        .anyMatch(
                                change -> change.substitution() && change.name().equals(setting)));
        for (String setting : names) {
            if (!declared.remove(setting)) {
                throw row.wrong(
                        setting + " " + here.getOrDefault(setting, "is not there") + ", in the control "
                                + control.name() + " " + there.getOrDefault(setting, "is not there"),
                        "the same, or the control written " + control.name() + BUT + setting);
            }
        }
        if (!declared.isEmpty()) {
            throw row.wrong(
                    "the control " + control.name() + " does not differ in " + String.join(", ", declared),
                    "after \"but\" only constants in which the two differ");
        }
    }

    /** Constants and keywords of a configuration, written alike; what it checks is left out. */
    private static Map<String, String> settings(ModelConfig config) {
        Map<String, String> settings = new TreeMap<>(config.keywords());
        config.constants().forEach((name, value) -> settings.put(name, value.replaceAll("\\s*([{},])\\s*", "$1")));
        return settings;
    }
}
