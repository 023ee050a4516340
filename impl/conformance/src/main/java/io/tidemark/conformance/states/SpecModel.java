package io.tidemark.conformance.states;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tla2sany.semantic.FormalParamNode;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.impl.FastTool;
import tlc2.util.FP64;
import tlc2.value.IValue;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * A model that TLC has read: which actions it has, and what follows from a state by each. TLC keeps the variables in static
 * fields, so all models of one JVM must have the same ones.
 */
public final class SpecModel {
    /** An action with its arguments, which {@code Next} takes from constants. */
    public static final class Instance implements Call {
        private final Action action;
        private final Map<String, Val> args = new LinkedHashMap<>();

        Instance(Action action) {
            this.action = action;
            for (FormalParamNode parameter : action.getOpDef().getParams()) {
                Object value = action.con.lookup(symbol -> symbol.getName() == parameter.getName());
                if (value instanceof IValue bound) {
                    args.put(parameter.getName().toString(), Val.of(bound));
                }
            }
        }

        @Override
        public String name() {
            return action.getName().toString();
        }

        @Override
        public Val arg(String parameter) {
            Val value = args.get(parameter);
            if (value == null) {
                throw new IllegalArgumentException(name() + " has no argument " + parameter + " but " + args.keySet());
            }
            return value;
        }

        /** The action with its arguments in their order: {@code HandleFetch b1 b2}. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(name());
            args.values().forEach(value -> text.append(' ').append(value));
            return text.toString();
        }
    }

    private final FastTool tool;
    private final Map<String, List<Instance>> instances = new LinkedHashMap<>();

    private SpecModel(FastTool tool) {
        this.tool = tool;
        for (Action action : tool.getActions()) {
            Instance instance = new Instance(action);
            instances
                    .computeIfAbsent(instance.name(), name -> new ArrayList<>())
                    .add(instance);
        }
    }

    /**
     * @param spec the directory of the specification
     * @param module file of the model's module
     * @param config what a cfg file says
     */
    public static SpecModel read(Path spec, Path module, String config) throws IOException {
        Path file = Files.createTempFile("tidemark-model-", ".cfg");
        PrintStream out = ToolIO.out;
        try {
            Files.writeString(file, config);
            ToolIO.out = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
            FP64.Init(0); // without it every state has the same fingerprint
            String[] library = {
                String.valueOf(module.toAbsolutePath().getParent()),
                spec.toString(),
                spec.resolve("models").toString()
            };
            FastTool tool = new FastTool(
                    "", without(module, ".tla"), without(file, ".cfg"), new SimpleFilenameToStream(library));
            return new SpecModel(tool);
        } finally {
            ToolIO.out = out;
            Files.delete(file);
        }
    }

    private static String without(Path file, String extension) {
        String name = file.toAbsolutePath().toString();
        return name.substring(0, name.length() - extension.length());
    }

    /** Of its actions, in their order in {@code Next}. */
    public Set<String> names() {
        return Collections.unmodifiableSet(instances.keySet());
    }

    /** An action with each of its arguments; none where the model has no such action. */
    public List<Instance> instances(String name) {
        return instances.getOrDefault(name, List.of());
    }

    public List<SpecState> initial() {
        return states(tool.getInitStates());
    }

    /** Where the action leads from the state; none where it is not enabled. */
    public List<SpecState> successors(Instance instance, SpecState state) {
        return states(tool.getNextStates(instance.action, state.tlc()));
    }

    /** Whether the model's constraints on states and steps let the step be taken. */
    public boolean allows(SpecState from, SpecState to) {
        return tool.isInModel(to.tlc()) && tool.isInActions(from.tlc(), to.tlc());
    }

    private static List<SpecState> states(StateVec vector) {
        List<SpecState> all = new ArrayList<>(vector.size());
        for (int i = 0; i < vector.size(); i++) {
            all.add(new SpecState(vector.elementAt(i)));
        }
        return all;
    }
}
