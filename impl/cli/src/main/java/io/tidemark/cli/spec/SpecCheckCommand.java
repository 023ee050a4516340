package io.tidemark.cli.spec;

import io.tidemark.cli.contract.Command;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.cli.contract.Interruption;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Wrap;
import io.tidemark.cli.spec.CheckDocument.Findings;
import io.tidemark.spec.check.Banners;
import io.tidemark.spec.check.Bounds;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.check.Coverage;
import io.tidemark.spec.check.Recorder;
import io.tidemark.spec.model.Manifest;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.model.ModelKind;
import io.tidemark.spec.model.Modules;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.Story;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks models with TLC. */
@picocli.CommandLine.Command(
        name = "check",
        description = {
            "Check models with TLC, each in a JVM of its own: those of the build, or those named. A name is a row of the"
                    + " manifest or the file of a module of your own.",
            "A model is as expected if TLC completes and finds what the manifest says: that everything holds, or that the"
                    + " named property of a mutant or reach breaks. A counterexample is told step by step, and saved.",
            "What follows -- goes to TLC."
        })
final class SpecCheckCommand implements Command {
    @Mixin
    CheckOptions options = new CheckOptions();

    @Parameters(paramLabel = "MODEL", arity = "0..*", description = "Rows of the manifest, or modules of your own.")
    List<String> words = new ArrayList<>();

    @Override
    public ExitCode run(Session session) throws Exception {
        session.checkOut("spec check", Set.of("json"));
        return SpecPlace.guarded(() -> check(session));
    }

    private ExitCode check(Session session) throws InterruptedException {
        SpecPlace place = SpecPlace.of(session);
        List<String> forTlc = afterDashes(session.command());
        List<String> names = words.subList(0, words.size() - forTlc.size());
        Manifest manifest = place.manifest();
        Modules modules = place.modules();
        Selection selection = new Selection(place, manifest, modules, options);
        List<Model> models = selection.models(names);
        Checker checker = new Checker(modules, options.tlc(forTlc), place.state());
        if (models.size() > 1) {
            checker.countingInSmallModels();
        }
        if (options.dryRun) {
            return dryRun(session, checker, models);
        }
        boolean told = session.terminal().out() && session.terminal().err();
        Progress progress = session.progress();
        Vacuous vacuous = new Vacuous(checker, manifest, options);
        CheckRun run = new CheckRun(checker, options.force, options.jobs, progress, vacuous, (result, why) -> {
            if (told) {
                session.note(CheckText.line(
                        result,
                        meant(List.of(result), place, manifest)
                                .get(result.model().name()),
                        why != null));
            }
        });
        boolean wholeSet = selection.wholeSet(names) && forTlc.isEmpty();
        return Interruption.cooperate(
                () -> {
                    try (progress) {
                        run.run(models);
                    }
                    if (options.record && options.asWritten()) {
                        Recorder.record(place.spec(), modules, run.results());
                    }
                    return publish(
                            session, place, modules, findings(place, modules, run, manifest, wholeSet, models.size()));
                },
                () -> publish(session, place, modules, findings(place, modules, run, manifest, false, models.size())));
    }

    private Findings findings(
            SpecPlace place, Modules modules, CheckRun run, Manifest manifest, boolean wholeSet, int asked) {
        List<CheckResult> results = run.results();
        List<String[]> notes = withoutControl(results, manifest, modules);
        Meant.notMissed(results, options.without, manifest)
                .forEach(text -> notes.add(new String[] {CheckDocument.GUARD_NOT_MISSED, text}));
        if (options.nightly) {
            notes.add(new String[] {
                "ACTIONS_LEFT_TO_BUILD", "the build's models must take every action: spec check, or --all for both"
            });
        }
        return new Findings(
                results,
                Coverage.untaken(results, wholeSet ? place.vocabulary() : null),
                wholeSet,
                notes,
                meant(results, place, manifest),
                run.vacuous(),
                asked,
                Interruption.cause());
    }

    private Map<String, String> meant(List<CheckResult> results, SpecPlace place, Manifest manifest) {
        return options.without.isEmpty() ? Map.of() : Meant.of(results, options.without, place.vocabulary(), manifest);
    }

    /** A mutant proves something only beside its control: one that passed just now, or is on record for these modules. */
    private static List<String[]> withoutControl(List<CheckResult> results, Manifest manifest, Modules modules) {
        List<String[]> notes = new ArrayList<>();
        for (CheckResult result : results) {
            String name = result.model().control();
            Model control = name == null ? null : manifest.model(name);
            if (result.model().kind() != ModelKind.MUTANT
                    || result.model().expected().holds()
                    || control == null) {
                continue;
            }
            boolean now = results.stream()
                    .anyMatch(other -> other.model().name().equals(name) && other.exhaustive() && other.asExpected());
            if (!now && !modules.onRecord(control)) {
                notes.add(new String[] {
                    "CONTROL_NOT_ON_RECORD",
                    result.model().name() + ": its control " + name
                            + " has no full run on record for the present modules"
                });
            }
        }
        return notes;
    }

    private ExitCode publish(Session session, SpecPlace place, Modules modules, Findings findings)
            throws InterruptedException {
        Banners banners = new Banners(modules);
        Function<CheckResult, List<String>> story = result -> {
            Counterexample example = result.example();
            String module = result.model().module().toString().replaceFirst("\\.tla$", "");
            return example == null
                    ? List.of()
                    : new Story(example, banners.of(module), session.options().debug).lines();
        };
        Function<CheckResult, Bounds> bounds = result -> Bounds.of(result.model(), modules, options.changes());
        boolean told = session.terminal().out() && session.terminal().err() && !session.options().quiet;
        Report report = CheckDocument.of(findings, place.state().toAbsolutePath(), story, bounds);
        int width = Wrap.width(session.terminal());
        return session.publish(report, out -> new CheckText(findings, story, bounds, width, out).print(!told));
    }

    private static ExitCode dryRun(Session session, Checker checker, List<Model> models) throws InterruptedException {
        Report report = new Report("tidemark.spec.commands/1");
        var list = report.body().putArray("commands");
        List<String> lines = new ArrayList<>();
        for (Model model : models) {
            var command = checker.command(model);
            command.makeDirectories();
            lines.add(command.shown());
            var node = list.addObject()
                    .put("name", model.name())
                    .put("config", command.config().toString());
            command.line().forEach(node.putArray("command")::add);
        }
        return session.publish(report, out -> lines.forEach(out::println));
    }

    private static List<String> afterDashes(List<String> command) {
        int dashes = command.indexOf("--");
        return dashes < 0 ? List.of() : command.subList(dashes + 1, command.size());
    }

    @Override
    public Set<ExitCode> furtherExitCodes() {
        return EnumSet.of(ExitCode.VIOLATED, ExitCode.UNKNOWN, ExitCode.INPUT);
    }

    @Override
    public String example() {
        return "./tidemark spec check --without hw-maximal-isr";
    }
}
