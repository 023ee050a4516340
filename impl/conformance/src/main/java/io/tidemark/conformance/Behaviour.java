package io.tidemark.conformance;

import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import io.tidemark.conformance.world.Called;
import io.tidemark.spec.SpecException;
import io.tidemark.spec.model.Vocabulary;
import io.tidemark.spec.trace.Counterexample;
import io.tidemark.spec.trace.TlaValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A saved behaviour, read for the code: its actions with their parameters' names, and its states. */
final class Behaviour {
    private final Path spec;
    private final List<Counterexample.Step> steps;
    private final List<String> modules;
    private final Map<String, List<String>> parameters = new HashMap<>();

    /** @param modules whose actions it may take */
    Behaviour(Path spec, List<Counterexample.Step> steps, List<String> modules) {
        this.spec = spec;
        this.steps = steps;
        this.modules = modules;
        modules.forEach(module -> parameters.putAll(Parameters.of(spec.resolve(module + ".tla"))));
    }

    /** Its first state, whatever variables it has. */
    Values initial() {
        Map<String, Val> values = new TreeMap<>();
        steps.get(0).state().forEach((name, value) -> values.put(name, Val.of(value)));
        return new Values(values);
    }

    /** What of it the code does not have, as a sentence; null if nothing. */
    @Nullable
    String missing(Map<String, String> constants) {
        for (Map.Entry<String, String> constant : constants.entrySet()) {
            if (constant.getValue().startsWith("<-") && parameters.containsKey(constant.getKey())) {
                return "the model has another " + constant.getKey() + " than the code: "
                        + constant.getValue().substring(2).strip();
            }
        }
        for (Vocabulary.ActionRow row : Vocabulary.read(spec).actions()) {
            if (modules.contains(row.module())
                    && row.code().equals("later")
                    && steps.stream().anyMatch(step -> step.action().equals(row.action()))) {
                return "the code does not have " + row.action() + " yet";
            }
        }
        return null;
    }

    List<Called> calls() {
        List<Called> calls = new ArrayList<>();
        for (int i = 1; i < steps.size(); i++) {
            Counterexample.Step step = steps.get(i);
            List<String> names = parameters.get(step.action());
            List<String> arguments = step.arguments();
            if (names == null || arguments == null || names.size() != arguments.size()) {
                throw new SpecException(
                        SpecException.Kind.INPUT,
                        "step " + i,
                        names == null
                                ? "no action " + step.action() + " in module " + String.join(" or ", modules)
                                : step.action() + " without the arguments " + names,
                        "a trace that spec check has saved, with the arguments of its actions");
            }
            Map<String, Val> args = new TreeMap<>();
            for (int k = 0; k < names.size(); k++) {
                args.put(names.get(k), Val.of(TlaValue.parse(arguments.get(k))));
            }
            calls.add(new Called(step.action(), args));
        }
        return calls;
    }

    List<Values> states(List<String> variables) {
        List<Values> states = new ArrayList<>();
        for (Counterexample.Step step : steps) {
            Map<String, Val> values = new TreeMap<>();
            for (String variable : variables) {
                TlaValue value = step.state().get(variable);
                if (value == null) {
                    throw new SpecException(
                            SpecException.Kind.INPUT,
                            "state " + states.size(),
                            "no variable " + variable,
                            "every variable of module " + String.join(" and ", modules));
                }
                values.put(variable, Val.of(value));
            }
            states.add(new Values(values));
        }
        return states;
    }
}
