package io.tidemark.history;

import io.tidemark.history.edn.EdnException;
import io.tidemark.history.edn.EdnReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads a history, one operation at a time: EDN maps one after the other (as {@link HistoryWriter} and Jepsen's
 * {@code history.edn} have them, tagged or not) or in one vector or list, or the lines of {@link JepsenText}. What the
 * sink refuses with an {@link IllegalArgumentException} is told with the operation's line and column, as malformed text
 * is. Memory does not depend on the number of operations.
 */
public final class HistoryReader {
    /** An operation, for messages that say what a history is made of. */
    public static final String EXAMPLE = "{:process 0 :type :invoke :f :read :value nil}";

    private HistoryReader() {}

    /**
     * Hands each operation to the sink, in the order of the file.
     *
     * @throws EdnException with line and column, if the file is not a history
     */
    public static void read(Path file, Consumer<Operation> sink) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            read(reader, sink);
        }
    }

    /**
     * Hands operations to the sink, in the order of the file, until it answers false.
     *
     * @return whether it never did: the whole file was read
     */
    public static boolean readWhile(Path file, Predicate<Operation> sink) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return readWhile(reader, sink);
        }
    }

    public static void read(Reader source, Consumer<Operation> sink) throws IOException {
        readWhile(source, op -> {
            sink.accept(op);
            return true;
        });
    }

    private static boolean readWhile(Reader source, Predicate<Operation> sink) throws IOException {
        BufferedReader buffered = source instanceof BufferedReader known ? known : new BufferedReader(source);
        return JepsenText.startsWith(buffered) ? JepsenText.readWhile(buffered, sink) : readForms(buffered, sink);
    }

    private static boolean readForms(Reader source, Predicate<Operation> sink) throws IOException {
        EdnReader edn = new EdnReader(source);
        if (!edn.hasNext()) {
            return true;
        }
        boolean wrapped = edn.enter();
        long position = 0;
        while (wrapped ? !edn.leave() : edn.hasNext()) {
            long line = edn.line();
            long column = edn.column();
            Object form = edn.next();
            try {
                if (!sink.test(OperationEdn.parse(form, position))) {
                    return false;
                }
            } catch (IllegalArgumentException e) {
                throw new EdnException(line, column, String.valueOf(e.getMessage()));
            }
            position++;
        }
        if (wrapped && edn.hasNext()) {
            throw new EdnException(edn.line(), edn.column(), "text behind the history's end");
        }
        return true;
    }

    public static List<Operation> readAll(Path file) throws IOException {
        List<Operation> operations = new ArrayList<>();
        read(file, operations::add);
        return operations;
    }
}
