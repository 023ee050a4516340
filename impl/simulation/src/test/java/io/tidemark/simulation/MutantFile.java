package io.tidemark.simulation;

import io.tidemark.core.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code mutants.txt}. */
final class MutantFile {
    private static final Set<String> KEYS =
            Set.of("mutant", "of", "off", "what", "in", "find", "put", "no-twin", "weak", "why");

    private String name = "";
    private String of = "";
    private String what = "";
    private List<Guard> off = List.of();
    private final List<Mutant.Patch> patches = new ArrayList<>();
    private String file = "";
    private String find = "";
    private final List<Mutant> mutants = new ArrayList<>();
    private final TreeMap<String, String> noTwins = new TreeMap<>();
    private final TreeMap<String, String> weak = new TreeMap<>();
    /** What the next {@code why} is of. */
    private TreeMap<String, String> reasons = noTwins;

    private MutantFile() {}

    static List<Mutant> read(Path path) throws IOException {
        return parse(path).mutants;
    }

    /** The specification's mutants that the code has none of, and why. */
    static Map<String, String> noTwins() throws IOException {
        return parse(path()).noTwins;
    }

    /** The mutants that the swarm does not show, and why, by their names. */
    static SortedMap<String, String> weak() throws IOException {
        return parse(path()).weak;
    }

    static void without(Map<String, Mutant> all) throws IOException {
        all.keySet().removeAll(noTwins().keySet());
    }

    private static Path path() {
        return Mutant.root().resolve("impl/simulation/src/test/resources/mutants.txt");
    }

    private static MutantFile parse(Path path) throws IOException {
        MutantFile reader = new MutantFile();
        List<String> lines = Files.readAllLines(path);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int colon = Math.max(0, line.indexOf(':'));
            String key = line.substring(0, colon);
            StringBuilder value = new StringBuilder(line.substring(colon + 1).strip());
            while (i + 1 < lines.size() && lines.get(i + 1).startsWith("    ")) {
                value.append('\n').append(lines.get(++i).strip());
            }
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(path + ":" + (i + 1) + ": no key " + key + "; one of " + KEYS);
            }
            reader.take(key, value.toString());
        }
        reader.end();
        return reader;
    }

    private void take(String key, String value) {
        switch (key) {
            case "mutant" -> {
                end();
                name = value;
            }
            case "no-twin" -> {
                end();
                find = value;
                reasons = noTwins;
            }
            case "weak" -> {
                end();
                find = value;
                reasons = weak;
            }
            case "why" -> reasons.put(find, value.replace('\n', ' '));
            case "of" -> of = value;
            case "what" -> what = value.replace('\n', ' ');
            case "off" ->
                off = Arrays.stream(value.split(", ")).map(Mutant::guard).toList();
            case "in" -> file = value;
            case "find" -> find = value;
            default ->
                patches.add(new Mutant.Patch(Mutant.root().resolve("impl").resolve(file), find, value));
        }
    }

    private void end() {
        if (!name.isEmpty()) {
            mutants.add(new Mutant(name, of, what, off, List.copyOf(patches)));
        }
        name = "";
        off = List.of();
        patches.clear();
    }
}
