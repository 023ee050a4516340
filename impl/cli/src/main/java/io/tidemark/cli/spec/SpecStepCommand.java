package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.spec.check.Banners;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Itf;
import io.tidemark.spec.trace.Story;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** Walks through a saved counterexample. */
@picocli.CommandLine.Command(
        name = "step",
        description = {
            "Walk through a counterexample that spec check has saved, or any trace in ITF.",
            "Each line of standard input is a key: n or nothing for the next step, p for the one before, a number for that"
                    + " step, q to end. At the end of the input it ends too.",
            "With --debug it tells all variables by their own names."
        })
final class SpecStepCommand implements Command {
    private static final String KEYS = "n next, p previous, NUMBER, q quit";

    @Parameters(paramLabel = "FILE", description = "The trace.")
    Path file = Path.of("");

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec step", Set.of("json"));
        return SpecPlace.guarded(() -> walk(session));
    }

    private ExitCode walk(Session session) throws InterruptedException {
        Counterexample example = Itf.read(file);
        SpecPlace place = SpecPlace.of(session);
        Story story = new Story(example, new Banners(place.modules()).of(example.module()), session.options().debug);
        int width = Wrap.width(session.terminal());
        Report report = new Report("tidemark.spec.step/1");
        report.body().put("file", file.toString()).put("violated", example.violated());
        var steps = report.body().putArray("steps");
        for (int i = 0; i < example.steps().size(); i++) {
            List<String> lines = story.step(i);
            var step = steps.addObject().put("action", example.steps().get(i).action());
            lines.forEach(step.putArray("lines")::add);
        }
        return session.publish(report, out -> interact(example, story, width, out));
    }

    private static void interact(Counterexample example, Story story, int width, PrintStream out) {
        BufferedReader keys = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int last = example.steps().size() - 1;
        int at = 0;
        show(story, at, last, width, out);
        try {
            for (String key = keys.readLine(); key != null; key = keys.readLine()) {
                key = key.strip();
                if (key.equals("q")) {
                    return;
                }
                int wanted = key.isEmpty() || key.equals("n")
                        ? at + 1
                        : key.equals("p") ? at - 1 : key.matches("\\d{1,6}") ? Integer.parseInt(key) : -2;
                if (wanted == -2) {
                    out.println("(" + KEYS + ")");
                } else if (wanted < 0 || wanted > last) {
                    out.println(wanted < 0 ? "(this is the start)" : "(this is the last step)");
                } else {
                    at = wanted;
                    show(story, at, last, width, out);
                }
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void show(Story story, int at, int last, int width, PrintStream out) {
        story.step(at).forEach(line -> Wrap.lines(line, width, "       ").forEach(out::println));
        String after = at == last ? story.ending() : "(step " + at + " of " + last + "; " + KEYS + ")";
        Wrap.lines(after, width, "    ").forEach(out::println);
        out.flush();
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec step .tidemark/spec/counterexamples/*.itf.json";
    }
}
