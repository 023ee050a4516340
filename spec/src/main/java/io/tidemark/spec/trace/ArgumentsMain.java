package io.tidemark.spec.trace;

import io.tidemark.spec.trace.Counterexample.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tla2sany.semantic.FormalParamNode;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.TLCState;
import tlc2.tool.impl.FastTool;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * Finds the arguments of each step of a saved counterexample: TLC's own evaluator takes it again, one binding of each
 * action's parameters after the other. In a JVM of its own, as TLC keeps its state in static variables. Prints a line for
 * each step that it finds: its index and the arguments, parted by tabs.
 */
public final class ArgumentsMain {
    /** Begins each line of the result. */
    static final String STEP = "@step";

    private ArgumentsMain() {}

    /** Arguments: the saved file, the module and the configuration without their extensions, directories of modules. */
    public static void main(String[] arguments) {
        Counterexample example = Itf.read(Path.of(arguments[0]));
        String[] places = Arrays.copyOfRange(arguments, 3, arguments.length);
        FastTool tool = new FastTool(arguments[1], arguments[2], new SimpleFilenameToStream(places));
        List<Step> steps = example.steps();
        TLCState state = find(tool.getInitStates(), steps.get(0).state());
        for (int i = 1; i < steps.size() && state != null; i++) {
            state = follow(tool, state, i, steps.get(i));
        }
        ToolIO.out.flush();
    }

    private static @Nullable TLCState follow(FastTool tool, TLCState from, int index, Step step) {
        for (Action action : tool.getActions()) {
            if (action.getName().toString().equals(step.action())) {
                TLCState next = find(tool.getNextStates(action, from), step.state());
                if (next != null) {
                    System.out.println(STEP + "\t" + index + "\t" + String.join("\t", bound(action)));
                    return next;
                }
            }
        }
        return null;
    }

    private static List<String> bound(Action action) {
        List<String> bound = new ArrayList<>();
        if (action.getOpDef() != null) {
            for (FormalParamNode parameter : action.getOpDef().getParams()) {
                bound.add(ValueParser.value(String.valueOf(action.con.lookup(parameter)))
                        .toString());
            }
        }
        return bound;
    }

    private static @Nullable TLCState find(StateVec states, Map<String, TlaValue> wanted) {
        for (int i = 0; i < states.size(); i++) {
            TLCState state = states.elementAt(i);
            state.deepNormalize();
            if (ValueParser.state(state.toString()).equals(wanted)) {
                return state;
            }
        }
        return null;
    }
}
