package io.tidemark.conformance.world;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.Val;
import java.util.Map;
import java.util.TreeMap;

/** An action with the values of its parameters. */
public record Called(String name, Map<String, Val> args) implements Call {
    /**
     * Of names alone.
     *
     * @param parametersAndArguments one after the other; the arguments are names
     */
    public static Called of(String name, String... parametersAndArguments) {
        Map<String, Val> args = new TreeMap<>();
        for (int i = 0; i < parametersAndArguments.length; i += 2) {
            args.put(parametersAndArguments[i], Val.of(parametersAndArguments[i + 1]));
        }
        return new Called(name, args);
    }

    @Override
    public Val arg(String parameter) {
        Val value = args.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException(name + " has no argument " + parameter + " but " + args.keySet());
        }
        return value;
    }
}
