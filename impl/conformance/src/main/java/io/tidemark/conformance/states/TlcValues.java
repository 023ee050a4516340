package io.tidemark.conformance.states;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tlc2.tool.TLCState;
import tlc2.value.IValue;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.FcnRcdValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.ModelValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.SetEnumValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import tlc2.value.impl.ValueEnumeration;
import tlc2.value.impl.ValueVec;
import util.UniqueString;

/** Values for TLC: what a {@link Val} calls by its text alone is a model value if the model has one of that name. */
final class TlcValues {
    private final TLCState example;
    private final Map<String, ModelValue> models = new HashMap<>();

    /** @param example a state of the model, which has each of its model values somewhere */
    TlcValues(TLCState example) {
        this.example = example;
        for (var entry : example.getVals().entrySet()) {
            collect((Value) entry.getValue());
        }
    }

    private void collect(Value value) {
        if (value instanceof ModelValue model) {
            models.put(model.toString(), model);
        } else if (value instanceof TupleValue tuple) {
            collect(tuple.elems);
        } else if (value instanceof RecordValue fields) {
            collect(fields.values);
        } else if (value.toFcnRcd() instanceof FcnRcdValue function) {
            for (Value key : function.getDomainAsValues()) {
                collect(key);
            }
            collect(function.values);
        } else if (value.toSetEnum() instanceof SetEnumValue set) {
            ValueEnumeration elements = set.elements();
            for (Value element = elements.nextElement(); element != null; element = elements.nextElement()) {
                collect(element);
            }
        }
    }

    private void collect(Value[] values) {
        for (Value value : values) {
            collect(value);
        }
    }

    TLCState state(State from) {
        TLCState state = example.copy();
        for (UniqueString name : example.getVals().keySet()) {
            state.bind(name, value(from.get(name.toString())));
        }
        return state;
    }

    private IValue value(Val val) {
        return val.match(
                IntValue::gen,
                bool -> bool ? BoolValue.ValTrue : BoolValue.ValFalse,
                this::text,
                items -> new TupleValue(values(items)),
                items -> new SetEnumValue(new ValueVec(values(items)), false),
                this::function);
    }

    private Value text(String text) {
        ModelValue model = models.get(text);
        return model != null ? model : new StringValue(text);
    }

    private Value[] values(Iterable<Val> items) {
        List<Value> all = new ArrayList<>();
        items.forEach(item -> all.add((Value) value(item)));
        return all.toArray(Value[]::new);
    }

    private Value function(Map<String, Val> map) {
        boolean record = map.keySet().stream().noneMatch(models::containsKey);
        List<Value> keys = new ArrayList<>();
        List<UniqueString> names = new ArrayList<>();
        map.keySet().forEach(key -> {
            keys.add(text(key));
            names.add(UniqueString.uniqueStringOf(key));
        });
        Value[] values = values(map.values());
        return record
                ? new RecordValue(names.toArray(UniqueString[]::new), values, false)
                : new FcnRcdValue(keys.toArray(Value[]::new), values, false);
    }
}
