package io.tidemark.conformance.names;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The string literals of a class, as its constant pool has them; not the names of what it is made of. */
final class ClassStrings {
    private static final int HEADER = 8;

    private ClassStrings() {}

    static Set<String> of(Class<?> type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        TreeMap<Integer, String> texts = new TreeMap<>();
        List<Integer> literals = new ArrayList<>();
        try (InputStream bytes = type.getResourceAsStream(file);
                DataInputStream in = new DataInputStream(bytes)) {
            in.skipNBytes(HEADER);
            int count = in.readUnsignedShort();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> texts.put(i, in.readUTF());
                    case 8 -> literals.add(in.readUnsignedShort());
                    case 7, 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++; // a long or double takes two entries
                    }
                    default -> throw new IOException(file + ": constant of tag " + tag);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
        Set<String> all = new TreeSet<>();
        literals.forEach(index -> all.add(texts.getOrDefault(index, "")));
        return all;
    }
}
