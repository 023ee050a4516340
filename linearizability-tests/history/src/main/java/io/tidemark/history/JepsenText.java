package io.tidemark.history;

import io.tidemark.history.edn.EdnException;
import io.tidemark.history.edn.EdnReader;
import io.tidemark.history.edn.Keyword;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines that old versions of Jepsen logged: {@code INFO jepsen.util - 0 :invoke :read nil}, and behind a value an
 * error. Lines of other loggers are passed over. A value {@code :timed-out} is the reason why none is known.
 */
final class JepsenText {
    private static final int LOOK_AHEAD = 1 << 12;
    private static final int MAX_LINE = 1 << 20;
    private static final Pattern LEVEL = Pattern.compile("(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\\b.*");
    private static final Pattern LINE = Pattern.compile("[A-Z]+\\s+jepsen\\.util - (.*)");
    private static final Keyword TIMED_OUT = new Keyword("timed-out");

    private JepsenText() {}

    /** Whether the text begins like a log; consumes nothing. */
    static boolean startsWith(BufferedReader reader) throws IOException {
        reader.mark(LOOK_AHEAD);
        StringBuilder word = new StringBuilder();
        int c = reader.read();
        for (int i = 1; i < LOOK_AHEAD && c >= 0 && word.length() < 8; i++) {
            if (!Character.isWhitespace(c)) {
                word.append((char) c);
            } else if (word.length() > 0) {
                break;
            }
            c = reader.read();
        }
        reader.reset();
        return LEVEL.matcher(word).matches();
    }

    static boolean readWhile(BufferedReader reader, Predicate<Operation> sink) throws IOException {
        long number = 0;
        long position = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            if (line.length() > MAX_LINE) {
                throw new EdnException(
                        number, 1, "a line of " + line.length() + " characters; expected at most " + MAX_LINE);
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                if (line.isBlank() || LEVEL.matcher(line).matches()) {
                    continue;
                }
                throw new EdnException(number, 1, "no line of a log; expected INFO jepsen.util - 0 :invoke :read nil");
            }
            try {
                if (!sink.test(operation(matcher.group(1), position))) {
                    return false;
                }
            } catch (EdnException e) {
                throw new EdnException(number, matcher.start(1) + e.column(), e.problem());
            } catch (IllegalArgumentException e) {
                throw new EdnException(number, matcher.start(1) + 1L, String.valueOf(e.getMessage()));
            }
            position++;
        }
        return true;
    }

    private static Operation operation(String text, long position) throws IOException {
        EdnReader edn = new EdnReader(new StringReader(text));
        Map<@Nullable Object, @Nullable Object> form = new LinkedHashMap<>();
        for (String key : new String[] {"process", "type", "f", "value", "error"}) {
            if (edn.hasNext()) {
                form.put(new Keyword(key), edn.next());
            }
        }
        if (edn.hasNext()) {
            throw new IllegalArgumentException("text behind the operation; expected process, type, f, value and error");
        }
        Keyword value = new Keyword("value");
        if (TIMED_OUT.equals(form.get(value))) {
            form.put(new Keyword("error"), TIMED_OUT);
            form.put(value, null);
        }
        return OperationEdn.parse(form, position);
    }
}
