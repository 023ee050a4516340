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
 * Reads a history in EDN, one operation at a time: maps one after the other (as {@link HistoryWriter} and Jepsen's
 * {@code history.edn} have them, tagged or not) or in one vector or list.
 */
public final class HistoryReader {
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
            Operation op;
            try {
                op = OperationEdn.parse(form, position);
            } catch (IllegalArgumentException e) {
                throw new EdnException(line, column, String.valueOf(e.getMessage()));
            }
            if (!sink.test(op)) {
                return false;
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
