package io.tidemark.spec.trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what TLC prints: a state's variables and their values. */
final class ValueParser {
    private static final Pattern TOKEN = Pattern.compile("\\s*("
            + "\"(?:[^\"\\\\]|\\\\.)*\"|-?\\d+|[A-Za-z_][A-Za-z0-9_!]*|<<|>>|\\|->|:>|@@|/\\\\|\\.\\.|[{}\\[\\](),=])");
    /** Deeper is no state of ours. */
    private static final int DEEPEST = 200;

    private final List<String> tokens = new ArrayList<>();
    private int at;

    private ValueParser(String text) {
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (end < text.length() && matcher.find(end) && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (!text.substring(end).isBlank()) {
            throw new IllegalArgumentException("not a value of TLA+: " + abridged(text.substring(end)));
        }
    }

    /** The variables of a state in the order of TLC: {@code /\ x = 1 /\ y = 2}, or one without the conjunction. */
    static Map<String, TlaValue> state(String text) {
        ValueParser parser = new ValueParser(text);
        Map<String, TlaValue> variables = new LinkedHashMap<>();
        while (parser.at < parser.tokens.size()) {
            parser.skip("/\\");
            String name = parser.next();
            parser.expect("=");
            variables.put(name, parser.value(0));
        }
        return variables;
    }

    /** One value. */
    static TlaValue value(String text) {
        ValueParser parser = new ValueParser(text);
        TlaValue value = parser.value(0);
        if (parser.at < parser.tokens.size()) {
            throw parser.unexpected(parser.tokens.get(parser.at));
        }
        return value;
    }

    private TlaValue value(int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("a value that is nested more than " + DEEPEST + " times");
        }
        String token = next();
        if (token.matches("-?\\d+")) {
            BigInteger from = new BigInteger(token);
            return skip("..") ? range(from, new BigInteger(next())) : new TlaValue.Int(from);
        }
        if (token.startsWith("\"")) {
            return new TlaValue.Text(token.substring(1, token.length() - 1).replaceAll("\\\\(.)", "$1"));
        }
        return switch (token) {
            case "TRUE", "FALSE" -> new TlaValue.Bool(token.equals("TRUE"));
            case "<<" -> new TlaValue.Seq(items(">>", depth));
            case "{" -> new TlaValue.SetOf(items("}", depth));
            case "[" -> record(depth);
            case "(" -> function(depth);
            default -> {
                if (!token.matches("[A-Za-z_].*")) {
                    throw unexpected(token);
                }
                yield new TlaValue.Text(token);
            }
        };
    }

    private static TlaValue range(BigInteger from, BigInteger to) {
        List<TlaValue> items = new ArrayList<>();
        for (BigInteger i = from; i.compareTo(to) <= 0 && items.size() < 10_000; i = i.add(BigInteger.ONE)) {
            items.add(new TlaValue.Int(i));
        }
        return new TlaValue.SetOf(items);
    }

    private List<TlaValue> items(String end, int depth) {
        List<TlaValue> items = new ArrayList<>();
        while (!skip(end)) {
            if (!items.isEmpty()) {
                expect(",");
            }
            items.add(value(depth + 1));
        }
        return items;
    }

    private TlaValue record(int depth) {
        Map<String, TlaValue> fields = new LinkedHashMap<>();
        while (!skip("]")) {
            if (!fields.isEmpty()) {
                expect(",");
            }
            String name = next();
            expect("|->");
            fields.put(name, value(depth + 1));
        }
        return new TlaValue.Rec(fields);
    }

    private TlaValue function(int depth) {
        Map<TlaValue, TlaValue> values = new LinkedHashMap<>();
        do {
            TlaValue key = value(depth + 1);
            expect(":>");
            values.put(key, value(depth + 1));
        } while (skip("@@"));
        expect(")");
        return new TlaValue.Fun(values);
    }

    private String next() {
        if (at >= tokens.size()) {
            throw new IllegalArgumentException("a value of TLA+ that is cut off");
        }
        return tokens.get(at++);
    }

    private boolean skip(String token) {
        boolean there = at < tokens.size() && tokens.get(at).equals(token);
        at += there ? 1 : 0;
        return there;
    }

    private void expect(String token) {
        String found = next();
        if (!found.equals(token)) {
            throw unexpected(found);
        }
    }

    private IllegalArgumentException unexpected(String token) {
        return new IllegalArgumentException("not a value of TLA+, at " + abridged(token));
    }

    private static String abridged(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
