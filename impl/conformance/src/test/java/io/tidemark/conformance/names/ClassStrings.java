package io.tidemark.conformance.names;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;

/** The texts in the constant pools of a class and of those within it: what it can say. */
final class ClassStrings {
    private static final int HEADER = 8;

    private ClassStrings() {}

    static Set<String> of(Class<?> type) throws IOException {
        Set<String> all = new TreeSet<>();
        for (Class<?> member : type.getNestMembers()) {
            read(member, all);
        }
        return all;
    }

    private static void read(Class<?> type, Set<String> all) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = type.getResourceAsStream(file);
                DataInputStream in = new DataInputStream(bytes)) {
            in.skipNBytes(HEADER);
            int count = in.readUnsignedShort();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> all.add(in.readUTF());
                    case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        i++; // a long or double takes two entries
                    }
                    default -> throw new IOException(file + ": constant of tag " + tag);
                }
            }
        }
    }
}
