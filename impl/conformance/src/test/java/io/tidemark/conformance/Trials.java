package io.tidemark.conformance;

import io.tidemark.conformance.names.SpecNames;
import io.tidemark.conformance.names.Tables;
import io.tidemark.conformance.states.Script;
import io.tidemark.conformance.states.SpecModel;
import io.tidemark.conformance.states.Visit;
import io.tidemark.conformance.states.Walk;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Walks over models: each state is put to the code, and to cores that lack a guard. */
final class Trials {
    /** Of one walk, at most. */
    static final int STEPS = Integer.getInteger("tidemark.conformance.steps", 6000);

    final Successors successors = new Successors();
    final Teeth teeth;
    final Ranges ranges;

    Trials(SpecNames names) {
        teeth = new Teeth(names);
        ranges = new Ranges(names.variables().keySet());
    }

    /**
     * A model, and where its walks go.
     *
     * @param steps at most
     * @param length of each walk
     * @param disturbances what is taken less often
     * @param adapters of its actions to a core with these guards
     */
    record Walked(
            String name,
            SpecModel model,
            long seed,
            int steps,
            int length,
            Set<String> disturbances,
            Function<Guards, List<Adapter>> adapters) {}

    /** Until every action is compared often enough. */
    void walk(Walked walked) {
        List<Adapter> adapters = walked.adapters().apply(Guards.ALL);
        Teeth.Cores cores = teeth.cores(walked.adapters());
        run(walked, new Walk.Visitor() {
            @Override
            public boolean visit(Visit visit) {
                ranges.see(visit.state());
                cores.visit(visit);
                return successors.visit(walked.name(), adapters, visit);
            }

            @Override
            public boolean wants(String action) {
                return adapters.stream()
                        .anyMatch(adapter -> adapter.instance().equals(action) && successors.wants(adapter.action()));
            }

            @Override
            public boolean done() {
                return successors.done();
            }
        });
    }

    /** Until the guard is missed. */
    void bite(Walked walked, Guard guard) {
        Teeth.Cores cores = teeth.cores(walked.adapters());
        run(walked, new Walk.Visitor() {
            @Override
            public boolean visit(Visit visit) {
                cores.visit(visit);
                return false;
            }

            @Override
            public boolean wants(String action) {
                return false;
            }

            @Override
            public boolean done() {
                return teeth.missed(guard);
            }
        });
    }

    /** Along a script, at whose end a guard is missed. */
    void bite(Walked walked, List<String> script) {
        Script.follow(walked.model(), script, teeth.cores(walked.adapters())::visit);
    }

    private static void run(Walked walked, Walk.Visitor visitor) {
        new Walk(walked.model(), walked.seed()).run(walked.steps(), walked.length(), walked.disturbances(), visitor);
    }

    /** The variables that {@code variables.tsv} says are held fixed. */
    static Set<String> heldFixed(Path spec, String module) {
        return Tables.variables(spec).stream()
                .filter(row -> row.module().equals(module)
                        && !row.variable().equals("-")
                        && !row.held().equals("-"))
                .map(Tables.Variable::variable)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
