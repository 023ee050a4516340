package io.tidemark.conformance.states;

import java.util.LinkedHashMap;
import java.util.Map;
import tlc2.tool.TLCState;

/** One state of the specification: its variables, read when asked for. */
public final class SpecState implements State {
    private final TLCState state;
    private final Map<String, Val> read = new LinkedHashMap<>();

    SpecState(TLCState state) {
        this.state = state;
    }

    @Override
    public Val get(String variable) {
        return read.computeIfAbsent(variable, name -> {
            var value = state.lookup(name);
            if (value == null) {
                throw new IllegalArgumentException("the specification has no variable " + name);
            }
            return Val.of(value);
        });
    }

    TLCState tlc() {
        return state;
    }

    /** TLC's hash of the state: two states with one are the same. */
    public long fingerprint() {
        return state.fingerPrint();
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
