package io.tidemark.history;

import io.tidemark.history.edn.EdnWriter;
import io.tidemark.history.edn.Keyword;
import io.tidemark.history.edn.Tagged;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An {@link Operation} as Jepsen's EDN map, and back. */
final class OperationEdn {
    private static final Keyword INDEX = new Keyword("index");
    private static final Keyword TIME = new Keyword("time");
    private static final Keyword TYPE = new Keyword("type");
    private static final Keyword PROCESS = new Keyword("process");
    private static final Keyword F = new Keyword("f");
    private static final Keyword VALUE = new Keyword("value");
    private static final Keyword ERROR = new Keyword("error");
    private static final Keyword NEMESIS = new Keyword("nemesis");

    private OperationEdn() {}

    static void write(Operation op, StringBuilder out) {
        out.append("{:index ").append(op.index()).append(", :time ").append(op.time());
        out.append(", :type :")
                .append(op.type().name().toLowerCase(Locale.ROOT))
                .append(", :process ");
        if (op.isNemesis()) {
            out.append(NEMESIS);
        } else {
            out.append(op.process());
        }
        out.append(", :f :").append(op.f()).append(", :value ");
        EdnWriter.write(op.value(), out);
        if (op.error() != null) {
            field(ERROR, op.error(), out);
        }
        op.extra().forEach((key, value) -> field(key, value, out));
        out.append("}\n");
    }

    private static void field(Keyword key, @Nullable Object value, StringBuilder out) {
        out.append(", ").append(key).append(' ');
        EdnWriter.write(value, out);
    }

    /**
     * @param position index of an operation that names none
     * @throws IllegalArgumentException naming the key, what it holds and what was expected
     */
    static Operation parse(@Nullable Object form, long position) {
        Object untagged = form instanceof Tagged tagged ? tagged.value() : form;
        if (!(untagged instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("an operation is a map; found " + shortened(form));
        }
        Map<Keyword, @Nullable Object> extra = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (!(key instanceof Keyword keyword)) {
                throw new IllegalArgumentException("the keys of an operation are keywords; found " + shortened(key));
            }
            extra.put(keyword, value);
        });
        Object index = extra.remove(INDEX);
        Object time = extra.remove(TIME);
        Operation.Type type = type(extra.remove(TYPE));
        long process = process(extra.remove(PROCESS));
        Object f = extra.remove(F);
        if (!(f instanceof Keyword name)) {
            throw new IllegalArgumentException(":f is a keyword; found " + shortened(f));
        }
        Object value = extra.remove(VALUE);
        Object error = extra.remove(ERROR);
        return new Operation(
                natural(INDEX, index, position),
                natural(TIME, time, 0),
                process,
                type,
                name.name(),
                value,
                error,
                extra);
    }

    private static long natural(Keyword key, @Nullable Object value, long absent) {
        if (value == null) {
            return absent;
        }
        // Jepsen writes :index -1 where none was assigned.
        if (value instanceof Long number) {
            return number < 0 ? absent : number;
        }
        throw new IllegalArgumentException(key + " is an integer; found " + shortened(value));
    }

    private static long process(@Nullable Object value) {
        if (NEMESIS.equals(value)) {
            return Operation.NEMESIS;
        }
        if (value instanceof Long number && number >= 0) {
            return number;
        }
        throw new IllegalArgumentException(":process is an integer from 0 or :nemesis; found " + shortened(value));
    }

    private static Operation.Type type(@Nullable Object value) {
        if (value instanceof Keyword keyword) {
            for (Operation.Type type : Operation.Type.values()) {
                if (type.name().toLowerCase(Locale.ROOT).equals(keyword.name())) {
                    return type;
                }
            }
        }
        throw new IllegalArgumentException(":type is one of :invoke :ok :fail :info; found " + shortened(value));
    }

    private static String shortened(@Nullable Object value) {
        String text = EdnWriter.toString(value);
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
