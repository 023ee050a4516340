package io.tidemark.spec.trace;

import io.tidemark.spec.tlc.TlcCommand;
import io.tidemark.spec.tlc.TlcProcess;
import io.tidemark.spec.trace.Counterexample.Step;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The arguments of a counterexample's actions, which TLC does not print. */
public final class Arguments {
    private static final long LIMIT_SECONDS = 60;

    private Arguments() {}

    /**
     * The example with the arguments that {@link ArgumentsMain} finds; without them where it finds none or takes too
     * long.
     *
     * @param command the run that found it
     * @param saved the example's file
     */
    public static Counterexample told(Counterexample example, TlcCommand command, Path saved)
            throws InterruptedException {
        Path temporary = saved.resolveSibling(saved.getFileName() + ".tmp");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss64m",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                ArgumentsMain.class.getName(),
                saved.toString(),
                command.module().toString().replaceFirst("\\.tla$", ""),
                String.valueOf(command.config().getFileName()).replaceFirst("\\.cfg$", "")));
        command.places().forEach(place -> line.add(place + File.separator));
        Process process = null;
        try {
            Files.createDirectories(temporary);
            Path output = temporary.resolve("out");
            process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)
                    ? with(example, Files.readAllLines(output, StandardCharsets.UTF_8))
                    : example;
        } catch (IOException e) {
            return example;
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            TlcProcess.delete(temporary);
        }
    }

    private static Counterexample with(Counterexample example, List<String> output) {
        Map<Integer, List<String>> found = new HashMap<>();
        for (String text : output) {
            List<String> words = List.of(text.split("\t", -1));
            if (words.get(0).equals(ArgumentsMain.STEP)) {
                found.put(
                        Integer.parseInt(words.get(1)),
                        words.subList(2, words.size()).stream()
                                .filter(word -> !word.isEmpty())
                                .toList());
            }
        }
        List<Step> steps = new ArrayList<>();
        for (Step step : example.steps()) {
            List<String> arguments = found.get(steps.size());
            steps.add(arguments == null ? step : new Step(step.action(), arguments, step.state()));
        }
        return example.with(steps);
    }
}
