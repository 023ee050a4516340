package io.tidemark.conformance.world;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.states.Values;
import java.util.TreeMap;

/** A state in the making: what a step changes in the one before. */
public final class Change implements State {
    private final Values before;
    private final TreeMap<String, Val> changed = new TreeMap<>();

    /** Of which nothing is changed yet. */
    public Change(Values before) {
        this.before = before;
    }

    /** The state before. */
    public Values before() {
        return before;
    }

    @Override
    public Val get(String variable) {
        Val value = changed.get(variable);
        return value != null ? value : before.get(variable);
    }

    /** Gives a variable a value. */
    public void put(String variable, Val value) {
        changed.put(variable, value);
    }

    /** Gives a variable that is a function a value there. */
    public void put(String variable, String key, Val value) {
        put(variable, get(variable).with(key, value));
    }

    /** One less of what bounds a disturbance; a negative number has no bound. */
    public void spend(String budget) {
        int left = get("budget", budget).integer();
        put("budget", budget, Val.of(left > 0 ? left - 1 : left));
    }

    /** Whether one of these functions has another value there than before. */
    public boolean changes(Iterable<String> variables, String key) {
        for (String variable : variables) {
            if (!get(variable, key).equals(before.get(variable, key))) {
                return true;
            }
        }
        return false;
    }

    /** Whether anything is another than before. */
    public boolean changed() {
        return changed.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(before.get(entry.getKey())));
    }

    /** The state after. */
    public Values done() {
        return before.with(changed);
    }
}
