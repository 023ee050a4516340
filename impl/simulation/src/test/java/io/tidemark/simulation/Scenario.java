package io.tidemark.simulation;

import io.tidemark.core.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A story of a cluster, as a person writes it: settings, what is run and must come of it, and step by step who does what,
 * what is cut and what must hold. The README beside the scenarios has the words.
 *
 * @param runs the same steps with guards on and off, and with other settings
 */
record Scenario(String name, String title, Shape shape, List<Run> runs, List<Step> steps) {
    /** What must come of a run. */
    enum Ending {
        /** Everything converges, and nothing that was acknowledged is gone. */
        HOLDS,
        /** Everything converges, and acknowledged records are gone, as the settings allow. */
        LOSES,
        /** An invariant is broken, on the way or at the end. */
        BREAKS
    }

    /**
     * One run of the steps.
     *
     * @param invariants of which one must break; empty but for {@link Ending#BREAKS}
     */
    record Run(String label, List<Guard> off, Consumer<Shape> settings, Ending ending, List<String> invariants) {
        @Override
        public String toString() {
            return label;
        }
    }

    /** A line of the story. */
    record Step(int line, String text, String verb, List<String> words) {}

    /** What is wrong with a file: where, what; what would be right. */
    static final class Malformed extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        Malformed(String file, int line, String what, String right) {
            super(file + ":" + line + ": " + what + "; " + right);
        }
    }

    static Scenario read(Path file) throws IOException {
        return new Parser(String.valueOf(file.getFileName())).parse(Files.readAllLines(file));
    }

    static Scenario parse(String name, String text) {
        return new Parser(name).parse(text.lines().toList());
    }

    @Override
    public String toString() {
        return name;
    }

    private static final class Parser {
        private static final String HEADERS = "scenario:, source:, settings:, or run: before the first step";
        private static final String SETTINGS = "partitions=N, rf=N, min-isr=N, acks=all|1|0, elr=on|off,"
                + " unclean=true|false, flush=none|every-message, voters=static|dynamic,"
                + " in-flight=N";

        private final String file;
        private int line;

        Parser(String file) {
            this.file = file;
        }

        private Malformed wrong(String what, String right) {
            return new Malformed(file, line, what, right);
        }

        Scenario parse(List<String> lines) {
            String title = "";
            Consumer<Shape> settings = shape -> shape.partitions = 3;
            List<Run> runs = new ArrayList<>();
            List<Step> steps = new ArrayList<>();
            for (String raw : lines) {
                line++;
                int comment = raw.indexOf('#');
                String text = (comment < 0 ? raw : raw.substring(0, comment)).strip();
                if (text.isEmpty()) {
                    continue;
                }
                int colon = text.indexOf(':');
                String key = colon < 0 ? "" : text.substring(0, colon).strip();
                if (colon < 0) {
                    steps.add(step(text));
                } else if (!steps.isEmpty()) {
                    throw wrong("'" + key + ":' after the first step", HEADERS);
                } else if (key.equals("scenario")) {
                    title = text.substring(colon + 1).strip();
                } else if (key.equals("settings")) {
                    settings = settings.andThen(settings(text.substring(colon + 1)));
                } else if (key.startsWith("run")) {
                    runs.add(run(
                            key.substring(3).strip(), text.substring(colon + 1).strip()));
                } else if (!key.equals("source")) {
                    throw wrong("no such line: '" + key + ":'", HEADERS);
                }
            }
            if (title.isEmpty() || runs.isEmpty() || steps.isEmpty()) {
                throw wrong(
                        "it ends without " + (title.isEmpty() ? "scenario:" : runs.isEmpty() ? "run:" : "a step"),
                        "a title, at least one run and one step");
            }
            return new Scenario(file, title, Shape.three().with(settings), List.copyOf(runs), List.copyOf(steps));
        }

        private Step step(String text) {
            List<String> words = List.of(text.split("\\s+"));
            Step step = new Step(line, text, words.get(0), words.subList(1, words.size()));
            String right = ScenarioRun.problem(step);
            if (!right.isEmpty()) {
                throw wrong("not understood: '" + text + "'", right);
            }
            return step;
        }

        /** {@code without GUARD, GUARD} or {@code with SETTING, SETTING} or neither. */
        private Run run(String how, String ending) {
            List<Guard> off = new ArrayList<>();
            Consumer<Shape> settings = shape -> {};
            if (how.startsWith("without ")) {
                for (String guard : how.substring(8).split(",")) {
                    off.add(guard(guard.strip()));
                }
            } else if (how.startsWith("with ")) {
                settings = settings(how.substring(5));
            } else if (!how.isEmpty()) {
                throw wrong(
                        "not understood: 'run " + how + "'", "run:, run without GUARD:, or run with SETTING=VALUE:");
            }
            List<String> words = List.of(ending.split("[\\s,]+"));
            boolean breaks = words.get(0).equals("breaks") && words.size() > 1;
            if (!breaks && !ending.equals("holds") && !ending.equals("loses")) {
                throw wrong("no ending: '" + ending + "'", "holds, loses, or breaks INVARIANT or INVARIANT");
            }
            return new Run(
                    how.isEmpty() ? "as it is" : how,
                    off,
                    settings,
                    breaks ? Ending.BREAKS : ending.equals("holds") ? Ending.HOLDS : Ending.LOSES,
                    breaks
                            ? words.stream()
                                    .skip(1)
                                    .filter(word -> !word.equals("or"))
                                    .toList()
                            : List.of());
        }

        private Guard guard(String name) {
            return Arrays.stream(Guard.values())
                    .filter(guard -> guard.specName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> wrong(
                            "no guard '" + name + "'",
                            "one of "
                                    + Arrays.stream(Guard.values())
                                            .map(Guard::specName)
                                            .collect(Collectors.joining(", "))));
        }

        private Consumer<Shape> settings(String text) {
            SortedMap<String, String> values = new TreeMap<>();
            for (String each : text.split(",")) {
                String[] parts = each.strip().split("=", 2);
                if (parts.length != 2 || !isSetting(parts[0], parts[1])) {
                    throw wrong("no setting: '" + each.strip() + "'", SETTINGS);
                }
                values.put(parts[0], parts[1]);
            }
            return shape -> values.forEach((key, value) -> set(shape, key, value));
        }

        private static boolean isSetting(String key, String value) {
            return switch (key) {
                case "partitions", "rf", "min-isr", "in-flight" -> value.matches("[1-9]");
                case "acks" -> value.matches("all|1|0");
                case "elr" -> value.matches("on|off");
                case "unclean" -> value.matches("true|false");
                case "flush" -> value.matches("none|every-message");
                case "voters" -> value.matches("static|dynamic");
                default -> false;
            };
        }

        private static void set(Shape shape, String key, String value) {
            switch (key) {
                case "in-flight" -> shape.inFlight = Integer.parseInt(value);
                case "partitions" -> shape.partitions = Integer.parseInt(value);
                case "rf" -> shape.replicationFactor = Integer.parseInt(value);
                case "min-isr" -> shape.minIsr = Integer.parseInt(value);
                case "acks" -> shape.acks = (short) (value.equals("all") ? -1 : Integer.parseInt(value));
                case "elr" -> shape.elr = value.equals("on");
                case "unclean" -> shape.unclean = value.equals("true");
                case "flush" -> shape.flushMessages = value.equals("none") ? 0 : 1;
                default -> shape.dynamicVoters = value.equals("dynamic");
            }
        }
    }
}
