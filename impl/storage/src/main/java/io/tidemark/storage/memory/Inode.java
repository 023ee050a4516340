package io.tidemark.storage.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A file or directory: what the process sees, what is durable, and what lies between. */
sealed interface Inode {
    /** Keeps a random part of what is not durable. */
    void losePower(RandomGenerator random);

    /** Whether something of it is not durable, not looking below a directory. */
    boolean unforced();

    /** Whether something of it is not durable that was said to be, not looking below a directory. */
    boolean lied();

    /** What was said to be durable becomes so, below a directory too. */
    void keepPromises();

    /** A directory: the names that are not durable each have the bindings they had since the last sync. */
    final class Directory implements Inode {
        final TreeMap<String, Inode> children = new TreeMap<>();
        private final TreeMap<String, Inode> durable = new TreeMap<>();
        private final TreeMap<String, List<@Nullable Inode>> unsynced = new TreeMap<>();

        void bind(String name, @Nullable Inode child) {
            if (child == null) {
                children.remove(name);
            } else {
                children.put(name, child);
            }
            List<@Nullable Inode> bindings = unsynced.get(name);
            if (bindings == null) {
                bindings = new ArrayList<>();
                unsynced.put(name, bindings);
            }
            bindings.add(child);
        }

        /** The child of that name after any power loss; null where there may be none, or another one. */
        @Nullable
        Inode certain(String name) {
            return unsynced.containsKey(name) ? null : durable.get(name);
        }

        @Override
        public boolean unforced() {
            return !unsynced.isEmpty();
        }

        @Override
        public boolean lied() {
            return false;
        }

        @Override
        public void keepPromises() {
            children.values().forEach(Inode::keepPromises);
        }

        /** Whether it holds for this directory or anything below it. */
        boolean has(Predicate<Inode> what) {
            return what.test(this)
                    || children.values().stream()
                            .anyMatch(child ->
                                    child instanceof Directory directory ? directory.has(what) : what.test(child));
        }

        void sync() {
            durable.clear();
            durable.putAll(children);
            unsynced.clear();
        }

        @Override
        public void losePower(RandomGenerator random) {
            for (Map.Entry<String, List<@Nullable Inode>> entry : unsynced.entrySet()) {
                int choice = random.nextInt(entry.getValue().size() + 1);
                if (choice > 0) {
                    Inode kept = entry.getValue().get(choice - 1);
                    if (kept == null) {
                        durable.remove(entry.getKey());
                    } else {
                        durable.put(entry.getKey(), kept);
                    }
                }
            }
            unsynced.clear();
            children.clear();
            children.putAll(durable);
            children.values().forEach(child -> child.losePower(random));
        }
    }

    /** A file: writes and truncations since the last force are remembered one by one. */
    final class File implements Inode {
        private static final int SECTOR = 512;

        private byte[] data = new byte[0];
        private int size;
        private byte[] durable = new byte[0];
        private int durableSize;
        private final List<Change> unforced = new ArrayList<>();
        /** How many of the unforced changes, from the first, were said to be durable. */
        private int promised;

        /** A write, or a truncation to {@code position} where there are no bytes. */
        private static final class Change {
            private final int position;
            private final byte @Nullable [] bytes;

            private Change(int position, byte @Nullable [] bytes) {
                this.position = position;
                this.bytes = bytes;
            }
        }

        int size() {
            return size;
        }

        void read(byte[] target, int offset, int position, int count) {
            System.arraycopy(data, position, target, offset, count);
        }

        void write(int position, byte[] bytes) {
            data = grown(data, position + bytes.length);
            System.arraycopy(bytes, 0, data, position, bytes.length);
            size = Math.max(size, position + bytes.length);
            unforced.add(new Change(position, bytes));
        }

        void truncate(int newSize) {
            if (newSize < size) {
                Arrays.fill(data, newSize, size, (byte) 0);
                size = newSize;
                unforced.add(new Change(newSize, null));
            }
        }

        void force() {
            unforced.forEach(this::keep);
            unforced.clear();
            promised = 0;
        }

        /** Says that everything is durable, and does nothing. */
        void promise() {
            promised = unforced.size();
        }

        /** What was forced. */
        byte[] forced() {
            return Arrays.copyOf(durable, durableSize);
        }

        @Override
        public boolean unforced() {
            return !unforced.isEmpty();
        }

        @Override
        public boolean lied() {
            return promised > 0;
        }

        @Override
        public void keepPromises() {
            unforced.subList(0, promised).forEach(this::keep);
            unforced.subList(0, promised).clear();
            promised = 0;
        }

        private void keep(Change change) {
            byte[] bytes = change.bytes;
            if (bytes != null) {
                keep(change.position, bytes, 0, bytes.length);
            } else if (change.position < durableSize) {
                Arrays.fill(durable, change.position, durableSize, (byte) 0);
                durableSize = change.position;
            }
        }

        private void keep(int position, byte[] bytes, int from, int to) {
            durable = grown(durable, position + to);
            System.arraycopy(bytes, from, durable, position + from, to - from);
            durableSize = Math.max(durableSize, position + to);
        }

        @Override
        public void losePower(RandomGenerator random) {
            // Whole outcomes are as likely as mixed ones, which alone would hardly ever keep or lose all.
            int mode = random.nextInt(4);
            for (Change change : unforced) {
                int fate = mode < 3 ? mode : random.nextInt(3);
                byte[] bytes = change.bytes;
                if (fate == 1) {
                    keep(change);
                } else if (fate == 2 && bytes != null) {
                    tear(change.position, bytes, random);
                } else if (fate == 2 && random.nextBoolean()) {
                    keep(change);
                }
            }
            unforced.clear();
            promised = 0;
            data = durable.clone();
            size = durableSize;
        }

        /** Keeps some sectors of a write; the file's size may cover what was lost, which then reads as before or as zeros. */
        private void tear(int position, byte[] bytes, RandomGenerator random) {
            int from = 0;
            while (from < bytes.length) {
                int to = Math.min(bytes.length, from + SECTOR - (position + from) % SECTOR);
                if (random.nextBoolean()) {
                    keep(position, bytes, from, to);
                }
                from = to;
            }
            if (random.nextBoolean()) {
                durable = grown(durable, position + bytes.length);
                durableSize = Math.max(durableSize, position + bytes.length);
            }
        }

        private static byte[] grown(byte[] array, int size) {
            return size <= array.length
                    ? array
                    : Arrays.copyOf(array, Math.max(size, Math.min(array.length * 2, 1 << 30)));
        }
    }
}
