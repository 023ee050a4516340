package io.tidemark.conformance.states;

import io.tidemark.spec.trace.TlaValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
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
    /** Of {@link #raw}, which is asked for often; 0 until then. */
    private int hash;

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
        return set(all);
    }

    /** A value of a saved trace. */
    public static Val of(TlaValue value) {
        if (value instanceof TlaValue.Int number) {
            return of(number.value().intValueExact());
        }
        if (value instanceof TlaValue.Bool bool) {
            return of(bool.value());
        }
        if (value instanceof TlaValue.Text text) {
            return of(text.value());
        }
        if (value instanceof TlaValue.Seq seq) {
            return sequence(seq.items().stream().map(Val::of).toList());
        }
        if (value instanceof TlaValue.SetOf set) {
            return set(set.items().stream().map(Val::of).toList());
        }
        Map<String, Val> fields = new TreeMap<>();
        if (value instanceof TlaValue.Rec record) {
            record.fields().forEach((name, field) -> fields.put(name, of(field)));
        } else {
            ((TlaValue.Fun) value).values().forEach((key, item) -> fields.put(key.toString(), of(item)));
        }
        return function(fields);
    }

    public static Val of(int number) {
        return new Val(number);
    }

    public static Val of(boolean bool) {
        return new Val(bool);
    }

    /** A string or a model value. */
    public static Val of(String text) {
        return new Val(text);
    }

    public static Val nil() {
        return new Val(NIL);
    }

    public static Val sequence(List<Val> items) {
        return new Val(List.copyOf(items));
    }

    /** Of values that may be given more than once. */
    public static Val set(Collection<Val> items) {
        return new Val(new Elements(List.copyOf(new LinkedHashSet<>(items))));
    }

    /** A function from names, or a record. */
    public static Val function(Map<String, Val> values) {
        return new Val(Collections.unmodifiableMap(new TreeMap<>(values)));
    }

    /** A set: equal to another with the same elements in any order. */
    private record Elements(List<Val> items) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Elements set
                    && items.size() == set.items.size()
                    && (items.equals(set.items) || set.items.containsAll(items));
        }

        @Override
        public int hashCode() {
            int sum = 0;
            for (Val item : items) {
                sum += item.hashCode();
            }
            return sum;
        }

        @Override
        public String toString() {
            return items.toString();
        }
    }

    /** What is made of it, by its kind. */
    @SuppressWarnings("unchecked") // only of() fills it
    <T> T match(
            IntFunction<T> number,
            Function<Boolean, T> bool,
            Function<String, T> text,
            Function<List<Val>, T> sequence,
            Function<List<Val>, T> set,
            Function<Map<String, Val>, T> function) {
        if (raw instanceof Integer value) {
            return number.apply(value);
        }
        if (raw instanceof Boolean value) {
            return bool.apply(value);
        }
        if (raw instanceof String value) {
            return text.apply(value);
        }
        if (raw instanceof Elements value) {
            return set.apply(value.items());
        }
        return raw instanceof List<?> value
                ? sequence.apply((List<Val>) value)
                : function.apply((Map<String, Val>) raw);
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
        return raw instanceof Elements set ? set.items() : (List<Val>) raw;
    }

    /** What a function or record maps, by the text of its arguments. */
    @SuppressWarnings("unchecked") // only of() fills it
    public Map<String, Val> map() {
        return (Map<String, Val>) raw;
    }

    /** A function or record that maps {@code key} elsewhere. */
    public Val with(String key, Val value) {
        Map<String, Val> changed = new TreeMap<>(map());
        changed.put(key, value);
        return function(changed);
    }

    /** A sequence or set with one element more. */
    public Val and(Val element) {
        List<Val> all = new ArrayList<>(list());
        all.add(element);
        return raw instanceof Elements ? set(all) : sequence(all);
    }

    /** A set without the elements that are wanted no more. */
    public Val without(Predicate<Val> gone) {
        return set(list().stream().filter(gone.negate()).toList());
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
        return this == other || (other instanceof Val value && hashCode() == value.hashCode() && raw.equals(value.raw));
    }

    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = raw.hashCode();
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return raw.toString();
    }
}
