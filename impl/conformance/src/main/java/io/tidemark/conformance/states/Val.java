package io.tidemark.conformance.states;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tlc2.value.IValue;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.Enumerable;
import tlc2.value.impl.FcnRcdValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.ModelValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import tlc2.value.impl.ValueEnumeration;

/**
 * A value of TLA+ to read. Model values and strings are their text, sets are in TLC's order, which is the same in every
 * run; functions and records are by the text of what they map.
 */
public final class Val {
    private static final String NIL = "Nil";

    private final Object raw;

    private Val(Object raw) {
        this.raw = raw;
    }

    /** @throws IllegalArgumentException on a value of another kind than integers, strings, sets, functions, sequences */
    public static Val of(IValue value) {
        if (value instanceof IntValue number) {
            return new Val(number.val);
        }
        if (value instanceof BoolValue bool) {
            return new Val(bool.val);
        }
        if (value instanceof StringValue string) {
            return new Val(string.val.toString());
        }
        if (value instanceof ModelValue model) {
            return new Val(model.toString());
        }
        if (value instanceof TupleValue tuple) {
            List<Val> all = new ArrayList<>();
            for (Value element : tuple.elems) {
                all.add(of(element));
            }
            return new Val(all);
        }
        if (value instanceof RecordValue fields) {
            Map<String, Val> all = new TreeMap<>();
            for (int i = 0; i < fields.names.length; i++) {
                all.put(fields.names[i].toString(), of(fields.values[i]));
            }
            return new Val(all);
        }
        if (value instanceof FcnRcdValue function) {
            return function(function);
        }
        if (value instanceof Enumerable set) {
            return set(set);
        }
        Value other = value instanceof Value any ? any.toFcnRcd() : null;
        if (other instanceof FcnRcdValue function) {
            return function(function);
        }
        throw new IllegalArgumentException("cannot read " + value);
    }

    private static Val function(FcnRcdValue function) {
        // A function on 1..n is a sequence.
        List<Val> keys = new ArrayList<>();
        if (function.intv != null) {
            for (int i = function.intv.low; i <= function.intv.high; i++) {
                keys.add(new Val(i));
            }
        } else {
            for (Value key : function.domain) {
                keys.add(of(key));
            }
        }
        boolean sequence = true;
        for (int i = 0; i < keys.size(); i++) {
            sequence &= keys.get(i).raw.equals(i + 1);
        }
        if (sequence) {
            List<Val> all = new ArrayList<>();
            for (Value element : function.values) {
                all.add(of(element));
            }
            return new Val(all);
        }
        Map<String, Val> all = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            all.put(keys.get(i).toString(), of(function.values[i]));
        }
        return new Val(all);
    }

    private static Val set(Enumerable set) {
        List<Val> all = new ArrayList<>();
        ((Value) set).normalize();
        ValueEnumeration elements = set.elements();
        for (Value element = elements.nextElement(); element != null; element = elements.nextElement()) {
            all.add(of(element));
        }
        return new Val(all);
    }

    public boolean isNil() {
        return raw.equals(NIL);
    }

    public int integer() {
        return (Integer) raw;
    }

    public boolean bool() {
        return (Boolean) raw;
    }

    public String text() {
        return raw.toString();
    }

    /** Elements of a sequence in order, of a set in TLC's. */
    @SuppressWarnings("unchecked") // only of() fills it
    public List<Val> list() {
        return (List<Val>) raw;
    }

    @SuppressWarnings("unchecked") // only of() fills it
    private Map<String, Val> map() {
        return (Map<String, Val>) raw;
    }

    /** A function's value, a record's field. */
    public Val at(String key) {
        Val value = map().get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in " + this);
        }
        return value;
    }

    /** Element of a sequence, from 1 as in TLA+. */
    public Val at(int index) {
        return list().get(index - 1);
    }

    public int size() {
        return list().size();
    }

    /** Whether a set of model values or strings has it. */
    public boolean has(String element) {
        return list().stream().anyMatch(value -> value.raw.equals(element));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Val value && raw.equals(value.raw);
    }

    @Override
    public int hashCode() {
        return raw.hashCode();
    }

    @Override
    public String toString() {
        return raw.toString();
    }
}
