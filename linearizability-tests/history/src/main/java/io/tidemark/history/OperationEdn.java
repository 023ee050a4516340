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
        Parts parts = new Parts();
        map.forEach(parts::take);
        if (!(parts.f instanceof Keyword name)) {
            throw new IllegalArgumentException(":f is a keyword; found " + shortened(parts.f));
        }
        return new Operation(
                natural(INDEX, parts.index, position),
                natural(TIME, parts.time, 0),
                parts.process(),
                parts.type(),
                name.name(),
                parts.value,
                parts.error,
                parts.extra == null ? Map.of() : parts.extra);
    }

    /** The values of a map's keys; there are millions of maps, and few have other keys than these. */
    private static final class Parts {
        private @Nullable Object index;
        private @Nullable Object time;
        private @Nullable Object process;
        private @Nullable Object type;
        private @Nullable Object f;
        private @Nullable Object value;
        private @Nullable Object error;
        private @Nullable Map<Keyword, @Nullable Object> extra;

        void take(@Nullable Object key, @Nullable Object held) {
            if (!(key instanceof Keyword keyword)) {
                throw new IllegalArgumentException("the keys of an operation are keywords; found " + shortened(key));
            }
            switch (keyword.name()) {
                case "index" -> index = held;
                case "time" -> time = held;
                case "process" -> process = held;
                case "type" -> type = held;
                case "f" -> f = held;
                case "value" -> value = held;
                case "error" -> error = held;
                default -> {
                    if (extra == null) {
                        extra = new LinkedHashMap<>();
                    }
                    extra.put(keyword, held);
                }
            }
        }

        long process() {
            if (NEMESIS.equals(process)) {
                return Operation.NEMESIS;
            }
            if (process instanceof Long number && number >= 0) {
                return number;
            }
            throw new IllegalArgumentException(
                    ":process is an integer from 0 or :nemesis; found " + shortened(process));
        }

        Operation.Type type() {
            if (type instanceof Keyword keyword) {
                switch (keyword.name()) {
                    case "invoke" -> {
                        return Operation.Type.INVOKE;
                    }
                    case "ok" -> {
                        return Operation.Type.OK;
                    }
                    case "fail" -> {
                        return Operation.Type.FAIL;
                    }
                    case "info" -> {
                        return Operation.Type.INFO;
                    }
                    default -> {
                        // Told below.
                    }
                }
            }
            throw new IllegalArgumentException(":type is one of :invoke :ok :fail :info; found " + shortened(type));
        }
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

    private static String shortened(@Nullable Object value) {
        String text = EdnWriter.toString(value);
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
