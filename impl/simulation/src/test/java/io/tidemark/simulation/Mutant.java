package io.tidemark.simulation;

import io.tidemark.core.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A wrong variant of the code: guards switched off, source lines replaced, or both. {@code mutants.txt} says how one is
 * written.
 *
 * @param of {@code spec}: the twin of the specification's mutant of that name; {@code storage} or {@code runtime}: of what
 *     the specification cannot see
 * @param what is wrong, a sentence
 * @param off the guards that are off
 * @param patches source lines to replace
 */
record Mutant(String name, String of, String what, List<Guard> off, List<Patch> patches) {
    /** The code's place of a patch: {@code find} stands once in {@code file}, whatever its line breaks. */
    record Patch(Path file, String find, String put) {}

    static Path root() {
        return Path.of(System.getProperty("tidemark.root", "../.."))
                .toAbsolutePath()
                .normalize();
    }

    /** All of them: one for each guard that the specification's mutants need, and those of {@code mutants.txt}. */
    static SortedMap<String, Mutant> all() throws IOException {
        SortedMap<String, Mutant> all = new TreeMap<>();
        for (String[] guard : table("spec/guards.tsv")) {
            boolean switched = !guard[2].equals("-");
            boolean inCode = !guard[5].equals("-");
            if (switched && inCode && !guard[4].equals("none")) {
                String name = "without-" + guard[0];
                all.put(name, new Mutant(name, "spec", "Off: " + guard[3], List.of(guard(guard[0])), List.of()));
            }
        }
        for (Mutant mutant : MutantFile.read(root().resolve("impl/simulation/src/test/resources/mutants.txt"))) {
            all.put(mutant.name(), mutant);
        }
        MutantFile.without(all);
        return all;
    }

    /** The rows of a table of the specification, without comments and the line of names. */
    static List<String[]> table(String file) throws IOException {
        try (Stream<String> lines = Files.lines(root().resolve(file))) {
            return new ArrayList<>(lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .toList());
        }
    }

    static Guard guard(String specName) {
        return Arrays.stream(Guard.values())
                .filter(guard -> guard.specName().equals(specName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no guard " + specName + "; one of " + EnumSet.allOf(Guard.class)));
    }
}
