package io.tidemark.history.edn;

import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads EDN forms one after the other. nil is {@code null}, integers {@link Long} ({@link BigInteger} with {@code N} or
 * past 64 bits), {@code [..]} a {@link List}, {@code (..)} a {@link Sequence}, maps and sets keep their order, tags are
 * kept ({@link Tagged}). Memory is proportional to the text read; nesting is bounded by {@link #MAX_DEPTH}, so that
 * hostile text cannot exhaust the stack.
 */
public final class EdnReader {
    /** Forms nested deeper than this are refused. */
    public static final int MAX_DEPTH = 200;

    /** Forms longer than this, in characters, are refused; an item of a collection that was entered is a form. */
    public static final int MAX_FORM = 1 << 26;

    private static final int EOF = -1;
    private static final int MAX_NUMBER = 4096;

    private final Reader source;
    private final char[] buffer = new char[1 << 16];
    private final StringBuilder token = new StringBuilder();
    private final Map<String, Keyword> keywords = new HashMap<>();
    private int next;
    private int limit;
    private long line = 1;
    private long lineStart;
    private long consumed;
    private long formStart;

    public EdnReader(Reader source) {
        this.source = source;
    }

    /** Whether another form follows; skips white space, comments and discarded forms. */
    public boolean hasNext() throws IOException {
        formStart = consumed;
        return skip(0) != EOF;
    }

    /**
     * The next form.
     *
     * @throws EdnException if the text is malformed or has ended
     */
    public @Nullable Object next() throws IOException {
        formStart = consumed;
        return form(0);
    }

    /** If the next form is a vector or a list, enters it and returns true: its items are then read one by one. */
    public boolean enter() throws IOException {
        int c = skip(0);
        if (c == '[' || c == '(') {
            advance();
            return true;
        }
        return false;
    }

    /** Whether the collection that was entered has ended here; consumes its end. */
    public boolean leave() throws IOException {
        int c = skip(0);
        if (c == EOF) {
            throw error("the text ended inside of a collection; expected ] or )");
        }
        if (c == ']' || c == ')') {
            advance();
            return true;
        }
        return false;
    }

    public long line() {
        return line;
    }

    public long column() {
        return consumed - lineStart + 1;
    }

    private @Nullable Object form(int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw error("nested deeper than " + MAX_DEPTH);
        }
        int c = skip(depth);
        if (c == EOF) {
            throw error("the text ended; expected a form");
        }
        if ("[({\":\\#".indexOf(c) < 0) {
            return atom();
        }
        advance();
        return switch (c) {
            case '[' -> items(']', depth, new ArrayList<>());
            case '(' -> new Sequence(items(')', depth, new ArrayList<>()));
            case '{' -> map(depth);
            case '"' -> string();
            case ':' -> keyword();
            case '\\' -> character();
            default -> dispatch(depth);
        };
    }

    private <C extends Collection<@Nullable Object>> C items(char close, int depth, C into) throws IOException {
        while (true) {
            int c = skip(depth);
            if (c == close) {
                advance();
                return into;
            }
            if (c == EOF) {
                throw error("the text ended; expected " + close);
            }
            into.add(form(depth + 1));
        }
    }

    private Map<@Nullable Object, @Nullable Object> map(int depth) throws IOException {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        while (true) {
            int c = skip(depth);
            if (c == '}') {
                advance();
                return map;
            }
            if (c == EOF) {
                throw error("the text ended; expected }");
            }
            Object key = form(depth + 1);
            if (map.containsKey(key)) {
                throw error("key " + EdnWriter.toString(key) + " twice in a map");
            }
            if (skip(depth) == '}') {
                throw error("key " + EdnWriter.toString(key) + " has no value");
            }
            map.put(key, form(depth + 1));
        }
    }

    private @Nullable Object dispatch(int depth) throws IOException {
        int c = peek();
        if (c == '{') {
            advance();
            return Collections.unmodifiableSet(items('}', depth, new LinkedHashSet<>()));
        }
        if (c == '#') {
            advance();
            String name = token();
            return switch (name) {
                case "NaN" -> Double.NaN;
                case "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> throw error("unknown constant ##" + name + "; expected ##NaN, ##Inf or ##-Inf");
            };
        }
        String tag = token();
        if (tag.isEmpty() || !Character.isLetter(tag.charAt(0))) {
            throw error("# is followed by neither a tag nor a set");
        }
        return new Tagged(tag, form(depth + 1));
    }

    private Keyword keyword() throws IOException {
        String name = token();
        Keyword known = keywords.get(name);
        if (known != null) {
            return known;
        }
        try {
            Keyword keyword = new Keyword(name);
            if (keywords.size() < 1 << 16) {
                keywords.put(name, keyword);
            }
            return keyword;
        } catch (IllegalArgumentException e) {
            throw error("malformed keyword :" + name);
        }
    }

    private @Nullable Object atom() throws IOException {
        int first = peek();
        String text = token();
        if (text.isEmpty()) {
            throw error("unexpected character " + Character.getName(first));
        }
        boolean signed = (first == '-' || first == '+') && text.length() > 1 && Token.isDigit(text.charAt(1));
        if (Token.isDigit(first) || signed) {
            return number(text);
        }
        return switch (text) {
            case "nil" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> symbol(text);
        };
    }

    private Symbol symbol(String text) throws EdnException {
        try {
            return new Symbol(text);
        } catch (IllegalArgumentException e) {
            throw error("malformed symbol " + text);
        }
    }

    private Number number(String text) throws EdnException {
        if (text.length() > MAX_NUMBER) {
            throw error("a number of " + text.length() + " digits; expected at most " + MAX_NUMBER);
        }
        String digits = text.substring(0, text.length() - 1);
        try {
            if (text.endsWith("N")) {
                return new BigInteger(digits);
            }
            if (text.endsWith("M")) {
                return new BigDecimal(digits);
            }
            boolean decimal = text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
            if (decimal) {
                return Double.valueOf(text);
            }
            return text.length() <= 18 ? (Number) Long.valueOf(text) : exact(new BigInteger(text));
        } catch (NumberFormatException e) {
            throw error("malformed number " + text);
        }
    }

    private static Number exact(BigInteger value) {
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    private char character() throws IOException {
        int c = peek();
        if (c == EOF || c <= ' ') {
            throw error("\\ is followed by no character");
        }
        advance();
        String rest = Character.isLetterOrDigit(c) ? token() : "";
        if (rest.isEmpty()) {
            return (char) c;
        }
        String name = (char) c + rest;
        return switch (name) {
            case "newline" -> '\n';
            case "return" -> '\r';
            case "space" -> ' ';
            case "tab" -> '\t';
            case "formfeed" -> '\f';
            case "backspace" -> '\b';
            default -> {
                if (c == 'u' && rest.length() == 4) {
                    yield hex(rest);
                }
                throw error("unknown character \\" + name);
            }
        };
    }

    private String string() throws IOException {
        token.setLength(0);
        while (true) {
            int c = advance();
            if (c == '"') {
                return token.toString();
            }
            if (c == EOF) {
                throw error("the text ended inside of a string");
            }
            token.append(c == '\\' ? escape() : (char) c);
        }
    }

    private char escape() throws IOException {
        int c = advance();
        return switch (c) {
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\' -> (char) c;
            case 'u' -> unicode();
            default -> throw error("unknown escape in a string; expected one of \\t \\r \\n \\b \\f \\\" \\\\ \\uXXXX");
        };
    }

    private char unicode() throws IOException {
        StringBuilder digits = new StringBuilder(4);
        while (digits.length() < 4) {
            int digit = advance();
            if (digit == EOF) {
                throw error("the text ended inside of a string");
            }
            digits.append((char) digit);
        }
        return hex(digits.toString());
    }

    private char hex(String digits) throws EdnException {
        try {
            return (char) Integer.parseUnsignedInt(digits, 16);
        } catch (NumberFormatException e) {
            throw error("malformed character code \\u" + digits);
        }
    }

    private String token() throws IOException {
        token.setLength(0);
        while (Token.isPart(peek())) {
            token.append((char) advance());
        }
        return token.toString();
    }

    /** Skips what has no meaning and returns the character that follows, not consumed. */
    private int skip(int depth) throws IOException {
        while (true) {
            int c = peek();
            if (c == ';') {
                while (c != EOF && c != '\n') {
                    advance();
                    c = peek();
                }
            } else if (c == '#' && second() == '_') {
                advance();
                advance();
                form(depth + 1);
            } else if (c == ',' || (c != EOF && Character.isWhitespace(c))) {
                advance();
            } else {
                return c;
            }
        }
    }

    private int peek() throws IOException {
        return next < limit || fill() ? buffer[next] : EOF;
    }

    private int second() throws IOException {
        return limit - next > 1 || (fill() && limit - next > 1) ? buffer[next + 1] : EOF;
    }

    private int advance() throws IOException {
        int c = peek();
        if (c != EOF) {
            next++;
            consumed++;
            if (c == '\n') {
                line++;
                lineStart = consumed;
            }
        }
        return c;
    }

    /** Keeps what is not consumed yet (at most one character, see {@link #second}) and reads more behind it. */
    private boolean fill() throws IOException {
        if (consumed - formStart > MAX_FORM) {
            throw error("a form of more than " + MAX_FORM + " characters");
        }
        int kept = limit - next;
        System.arraycopy(buffer, next, buffer, 0, kept);
        next = 0;
        limit = kept;
        int read = source.read(buffer, kept, buffer.length - kept);
        if (read > 0) {
            limit += read;
        }
        return read > 0;
    }

    private EdnException error(String problem) {
        return new EdnException(line, column(), problem);
    }
}
