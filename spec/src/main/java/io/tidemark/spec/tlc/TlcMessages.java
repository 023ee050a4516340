package io.tidemark.spec.tlc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes what TLC prints with {@code -tool} apart: messages with numbers, one within another at times, and other lines. */
final class TlcMessages {
    /**
     * One message.
     *
     * @param code its number
     * @param severity 0 none, 1 error, 2 a defect of TLC, 3 warning, 4 a state
     */
    record Message(int code, int severity, String text) {}

    private static final Pattern START = Pattern.compile("@!@!@STARTMSG (\\d+):(\\d+) @!@!@");
    private static final Pattern END = Pattern.compile("@!@!@ENDMSG (\\d+) @!@!@");
    /** More than any state of ours; a message beyond it is cut. */
    private static final int MOST = 4 << 20;

    private record Open(int code, int severity, StringBuilder text) {}

    private final Deque<Open> open = new ArrayDeque<>();
    private final Consumer<Message> messages;
    private final Consumer<String> others;

    TlcMessages(Consumer<Message> messages, Consumer<String> others) {
        this.messages = messages;
        this.others = others;
    }

    void line(String line) {
        Matcher start = START.matcher(line);
        if (start.find()) {
            text(line.substring(0, start.start()), false);
            open.push(
                    new Open(Integer.parseInt(start.group(1)), Integer.parseInt(start.group(2)), new StringBuilder()));
            return;
        }
        Matcher end = END.matcher(line);
        Open top = open.peek();
        if (top != null && end.find() && Integer.parseInt(end.group(1)) == top.code) {
            text(line.substring(0, end.start()), false);
            open.pop();
            messages.accept(new Message(top.code, top.severity, top.text.toString()));
            return;
        }
        text(line, true);
    }

    private void text(String text, boolean whole) {
        Open top = open.peek();
        if (top == null) {
            if (whole || !text.isEmpty()) {
                others.accept(text);
            }
        } else if (top.text.length() < MOST) {
            top.text.append(text).append(whole ? "\n" : "");
        }
    }
}
