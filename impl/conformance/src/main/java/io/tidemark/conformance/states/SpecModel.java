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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tla2sany.semantic.FormalParamNode;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.impl.FastTool;
import tlc2.util.FP64;
import tlc2.value.IValue;
import util.SimpleFilenameToStream;
import util.ToolIO;
import util.UniqueString;

/**
 * A model that TLC has read: which actions it has, and what follows from a state by each. TLC keeps what it has read in static
 * fields, so that reading another model ends the use of this one and of its states.
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

    /** Of the model that was read last. */
    private static @Nullable FastTool present;

    private final FastTool reader;
    private final Map<String, List<Instance>> instances = new LinkedHashMap<>();

    private @Nullable TlcValues values;

    private SpecModel(FastTool tool) {
        this.reader = tool;
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
            // TLC numbers the names of each model anew, and leaves alone those that have a number: of another model.
            UniqueString.internTbl.toMap().values().forEach(name -> name.setLoc(-1));
            String[] library = {
                String.valueOf(module.toAbsolutePath().getParent()),
                spec.toString(),
                spec.resolve("models").toString()
            };
            FastTool tool = new FastTool(
                    "", without(module, ".tla"), without(file, ".cfg"), new SimpleFilenameToStream(library));
            present = tool;
            return new SpecModel(tool);
        } finally {
            ToolIO.out = out;
            Files.delete(file);
        }
    }

    private FastTool tool() {
        if (reader != present) {
            throw new IllegalStateException("TLC has read another model since");
        }
        return reader;
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

    /**
     * The names of its variables.
     *
     * @throws IllegalArgumentException if it has no initial state
     */
    public Set<String> variables() {
        List<SpecState> initial = initial();
        if (initial.isEmpty()) {
            throw new IllegalArgumentException("the model has no initial state");
        }
        return initial.get(0).tlc().getVals().keySet().stream()
                .map(UniqueString::toString)
                .collect(Collectors.toSet());
    }

    public List<SpecState> initial() {
        return states(tool().getInitStates());
    }

    /** Where the action leads from the state; none where it is not enabled. */
    public List<SpecState> successors(Instance instance, SpecState state) {
        return states(tool().getNextStates(instance.action, state.tlc()));
    }

    /** Whether the model's constraints on states and steps let the step be taken. */
    public boolean allows(SpecState from, SpecState to) {
        return tool().isInModel(to.tlc()) && tool().isInActions(from.tlc(), to.tlc());
    }

    /**
     * A state of the model that was written down, with every variable.
     *
     * @throws IllegalArgumentException if it lacks one, or the model has no initial state
     */
    public SpecState state(State written) {
        TlcValues known = values;
        if (known == null) {
            StateVec initial = tool().getInitStates();
            if (initial.size() == 0) {
                throw new IllegalArgumentException("the model has no initial state");
            }
            known = new TlcValues(initial.elementAt(0));
            values = known;
        }
        return new SpecState(known.state(written));
    }

    /** Whether the model's constraints on states let it be reached. */
    public boolean isInModel(SpecState state) {
        return tool().isInModel(state.tlc());
    }

    /** Whether it has a property that a state or a step alone can break. */
    public boolean judges() {
        return tool().getInvariants().length + tool().getImpliedActions().length > 0;
    }

    /** The first invariant of the model that the state breaks; null where all hold. */
    public @Nullable String broken(SpecState state) {
        Action[] invariants = tool().getInvariants();
        for (int i = 0; i < invariants.length; i++) {
            if (!tool().isValid(invariants[i], state.tlc())) {
                return tool().getInvNames()[i];
            }
        }
        return null;
    }

    /** The first property of the model that says what a step may do and that this one breaks; null where all hold. */
    public @Nullable String broken(SpecState from, SpecState to) {
        Action[] properties = tool().getImpliedActions();
        for (int i = 0; i < properties.length; i++) {
            if (!tool().isValid(properties[i], from.tlc(), to.tlc())) {
                return tool().getImpliedActNames()[i];
            }
        }
        return null;
    }

    private static List<SpecState> states(StateVec vector) {
        List<SpecState> all = new ArrayList<>(vector.size());
        for (int i = 0; i < vector.size(); i++) {
            all.add(new SpecState(vector.elementAt(i)));
        }
        return all;
    }
}
