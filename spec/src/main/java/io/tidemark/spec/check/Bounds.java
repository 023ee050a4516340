package io.tidemark.spec.check;

import io.tidemark.spec.model.ConfigChange;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.Modules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Within what a model is searched: its constants and reductions, in words. Nothing that it shows is claimed beyond them.
 *
 * @param size what there is: replicas, voters, records, settings
 * @param perturbations how often each thing that may go wrong does, by its name in the budget; below 0: without a bound
 * @param limits where the search is cut off
 * @param reductions what is left out of the order of events; what is switched off
 * @param changed what the reader has set, as it was given: told besides, and a budget of 0 among it is told as 0
 * @param zeros names in the budget that the reader has set to 0
 */
public record Bounds(
        List<String> size,
        Map<String, Integer> perturbations,
        List<String> limits,
        List<String> reductions,
        List<String> changed,
        Set<String> zeros) {
    /** A count in a budget, a number or the constant that has it. */
    private static final Pattern COUNT = Pattern.compile("(?:!\\.)?(\\w+) *(?:\\|->|=) *(-?\\w+)");

    /** A definition that is longer is told by its name. */
    private static final int SHORT = 100;

    /** What may go wrong, one and several of it, in the order of the telling; records are told with the size. */
    private static final List<List<String>> PERTURBATIONS = List.of(
            List.of("duplicates", "duplicate", "duplicates"),
            List.of("append", "decision", "decisions"),
            List.of("voters", "change of voters", "changes of voters"),
            List.of("timeout", "early timeout", "early timeouts"),
            List.of("fences", "fence", "fences"),
            List.of("shrinks", "ISR shrink", "ISR shrinks"),
            List.of("shutdowns", "controlled shutdown", "controlled shutdowns"),
            List.of("elections", "election by an operator", "elections by an operator"),
            List.of("minIsrChanges", "change of minIsr", "changes of minIsr"),
            List.of("failovers", "controller failover", "controller failovers"),
            List.of("resign", "resignation", "resignations"),
            List.of("losses", "lost message", "lost messages"),
            List.of("lose", "lost message", "lost messages"),
            List.of("ghosts", "late message", "late messages"),
            List.of("ghost", "late message", "late messages"),
            List.of("kills", "kill", "kills"),
            List.of("crash", "crash", "crashes"),
            List.of("powerLosses", "power loss", "power losses"),
            List.of("wipes", "wiped disk", "wiped disks"),
            List.of("wipe", "wiped disk", "wiped disks"),
            List.of("snapshot", "snapshot", "snapshots"),
            List.of("reads", "consumer read", "consumer reads"),
            List.of("deletes", "deletion of records", "deletions of records"));

    /** Settings that are told where they are TRUE. */
    private static final Map<String, String> SWITCHES = Map.of(
            "ElrEnabled", "ELR",
            "UncleanElection", "unclean election",
            "FlushEveryMessage", "fsync of every message",
            "BackgroundFlush", "fsyncs at any time",
            "TrackLag", "lag is tracked",
            "LateAnswers", "late answers",
            "LateReads", "late reads",
            "Static", "static voters",
            "Patient", "patient timers");

    private static final List<List<String>> LIMITS = List.of(
            List.of("MaxMetadata", "metadata records"),
            List.of("MaxLeaderEpoch", "as leader epoch"),
            List.of("MaxPartitionEpoch", "as partition epoch"));

    /** The bounds of a model with its configuration as it is. */
    public static Bounds of(Model model, Modules modules) {
        return of(model, modules, List.of());
    }

    /**
     * The bounds of a model with its configuration as it is.
     *
     * @param changes what of that configuration the reader has set
     */
    public static Bounds of(Model model, Modules modules, List<ConfigChange> changes) {
        return new Reader(model, modules, changes).bounds();
    }

    /** In one line. */
    public String inWords() {
        List<String> told = new ArrayList<>();
        PERTURBATIONS.forEach(word -> told(told, word.get(0), word.get(1), word.get(2)));
        new TreeSet<>(perturbations.keySet())
                .stream()
                        .filter(name -> !name.equals("records")
                                && PERTURBATIONS.stream()
                                        .noneMatch(word -> word.get(0).equals(name)))
                        .forEach(name -> told(told, name, name, name));
        List<String> parts = new ArrayList<>();
        add(parts, "", size);
        if (!perturbations.isEmpty()) {
            parts.add(told.isEmpty() ? "nothing goes wrong" : "at most " + String.join(", ", told));
        }
        add(parts, "cut off beyond ", limits);
        add(parts, "reduced: ", reductions);
        add(parts, "set by you: ", changed);
        return parts.isEmpty() ? "none is stated" : String.join("; ", parts);
    }

    private static void add(List<String> parts, String before, List<String> words) {
        if (!words.isEmpty()) {
            parts.add(before + String.join(", ", words));
        }
    }

    private void told(List<String> told, String name, String one, String several) {
        int count = perturbations.getOrDefault(name, 0);
        if (count != 0 || zeros.contains(name)) {
            told.add(count < 0 ? "any number of " + several : count + " " + (count == 1 ? one : several));
        }
    }

    /** Takes the constants of one model apart; what it does not know, it tells as it is. */
    private static final class Reader {
        private final Model model;
        private final Modules modules;
        private final Map<String, String> left;
        private final Map<String, Integer> budget = new TreeMap<>();
        private final List<ConfigChange> changes;
        private final Set<String> zeros = new TreeSet<>();

        Reader(Model model, Modules modules, List<ConfigChange> changes) {
            this.changes = changes;
            this.model = model;
            this.modules = modules;
            this.left = new TreeMap<>(model.config().constants());
            left.entrySet().removeIf(constant -> constant.getValue().equals("= " + constant.getKey()));
        }

        Bounds bounds() {
            readBudget();
            List<String> size = size();
            List<String> limits = limits();
            List<String> reductions = reductions();
            left.forEach((name, value) -> {
                if (!value.equals("= FALSE") && !value.equals("= {}")) {
                    size.add(name + " " + value);
                }
            });
            List<String> changed = changes.stream().map(ConfigChange::toString).toList();
            return new Bounds(size, budget, limits, reductions, changed, zeros);
        }

        private String value(String name) {
            String value = left.remove(name);
            return value == null ? "" : value.replaceFirst("^(=|<-) *", "");
        }

        private void readBudget() {
            String given = model.config().constants().getOrDefault("Budget", "");
            String value = value("Budget");
            Matcher counts = COUNT.matcher(given.startsWith("<-") ? modules.meaning(model.module(), value) : value);
            while (counts.find()) {
                String count = counts.group(2);
                String number = count.matches("-?\\d+") ? count : value(count);
                if (number.matches("-?\\d{1,6}")) {
                    budget.put(counts.group(1), Integer.valueOf(number));
                    if (Integer.parseInt(number) == 0 && (isSet(count) || isSet("Budget"))) {
                        zeros.add(counts.group(1));
                    }
                }
            }
        }

        private boolean isSet(String constant) {
            return changes.stream().anyMatch(change -> change.name().equals(constant));
        }

        private List<String> size() {
            List<String> size = new ArrayList<>();
            int replicas = members("Assignment");
            int voters = Math.max(members("InitVoters"), members("Voters"));
            int controllers = members("Controller");
            int nodes = members("Node");
            count(size, replicas, "replica", "replicas");
            count(size, voters, "voter", "voters");
            count(size, controllers - voters, "further controller", "further controllers");
            count(size, nodes - Math.max(controllers, voters), "observer", "observers");
            count(size, budget.getOrDefault("records", 0), "record", "records");
            if (zeros.contains("records")) {
                size.add("0 records");
            }
            String initial = value("InitialRecords");
            if (initial.matches("[1-9]\\d*") || (initial.equals("0") && isSet("InitialRecords"))) {
                size.add(initial + " at the start");
            }
            for (String[] setting :
                    new String[][] {{"MinIsr", "minIsr "}, {"FetchMax", "records in an answer up to "}}) {
                String value = value(setting[0]);
                if (!value.isEmpty()) {
                    size.add(setting[1] + value);
                }
            }
            String acks = value("Acks").replaceAll("[{}\"]", "").replace(", ", " or ");
            if (!acks.isEmpty()) {
                size.add("acks=" + acks);
            }
            switches(size);
            initially(size, replicas);
            return size;
        }

        private void switches(List<String> size) {
            new TreeMap<>(SWITCHES).forEach((name, words) -> {
                String value = value(name);
                if (value.equals("TRUE")) {
                    size.add(words);
                } else if (!value.isEmpty() && !value.equals("FALSE")) {
                    size.add(words + (value.equals("Nil") ? " only once it is switched on" : " " + value));
                }
            });
        }

        /** Who leads and who is in sync at first, and who may crash: where it is not everyone. */
        private void initially(List<String> size, int replicas) {
            String leaders = value("InitialLeaders");
            if (!leaders.isEmpty() && !leaders.equals("{b1}")) {
                size.add("led at first by " + either(leaders));
            }
            String isr = value("InitialIsr");
            if (!isr.isEmpty() && isr.split(",", -1).length < replicas) {
                size.add("ISR at first " + isr);
            }
            String crashable = value("Crashable");
            boolean crashes =
                    Stream.of("kills", "powerLosses", "wipes").anyMatch(name -> budget.getOrDefault(name, 0) != 0);
            if (crashes && crashable.split(",", -1).length < replicas) {
                size.add("only " + either(crashable) + " may crash");
            }
        }

        private static String either(String set) {
            return set.replaceAll("[{}]", "").replace(", ", " or ");
        }

        private static void count(List<String> size, int count, String one, String several) {
            if (count > 0) {
                size.add(count + " " + (count == 1 ? one : several));
            }
        }

        /** How many a set or a sequence has, given here or as an operator of the module; 0 where nobody can tell. */
        private int members(String constant) {
            boolean operator =
                    model.config().constants().getOrDefault(constant, "").startsWith("<-");
            String value = value(constant);
            String told = operator ? modules.meaning(model.module(), value) : value;
            return told.matches("(<<|\\{)\\w.*") ? told.split(",", -1).length : 0;
        }

        private List<String> limits() {
            List<String> limits = new ArrayList<>();
            String constraints = model.config().keywords().getOrDefault("CONSTRAINTS", "");
            LIMITS.forEach(limit -> {
                String value = value(limit.get(0));
                if (!value.isEmpty() && !constraints.isEmpty()) {
                    limits.add(value + " " + limit.get(1));
                }
            });
            if (limits.isEmpty()) {
                for (String name : words(constraints)) {
                    String meaning = modules.meaning(model.module(), name);
                    limits.add(name + (meaning.isEmpty() || meaning.length() > SHORT ? "" : " (" + meaning + ")"));
                }
            }
            return limits;
        }

        private List<String> reductions() {
            Map<String, String> keywords = model.config().keywords();
            List<String> reductions = new ArrayList<>(words(keywords.getOrDefault("ACTION_CONSTRAINTS", "")));
            if (value("CommitAtOnce").equals("TRUE")) {
                reductions.add("CommitAtOnce");
            }
            if (keywords.containsKey("SYMMETRY")) {
                reductions.add("symmetry");
            }
            if (keywords.containsKey("VIEW")) {
                reductions.add("view " + keywords.get("VIEW"));
            }
            String start = keywords.getOrDefault("SPECIFICATION", keywords.getOrDefault("INIT", "Spec"));
            if (!start.equals("Spec") && !start.equals("Init")) {
                reductions.add("behaviours of " + start);
            }
            List<String> off = model.config().off();
            left.remove("Off");
            if (!off.isEmpty()) {
                reductions.add("without " + String.join(", ", off));
            }
            return reductions;
        }

        private static List<String> words(String text) {
            return Stream.of(text.split("\\s+", -1))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }
    }
}
