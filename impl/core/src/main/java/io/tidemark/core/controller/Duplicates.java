package io.tidemark.core.controller;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a request names more than once. */
final class Duplicates {
    private Duplicates() {}

    static <T extends Comparable<T>> SortedSet<T> of(Stream<T> items) {
        TreeSet<T> seen = new TreeSet<>();
        TreeSet<T> repeated = new TreeSet<>();
        items.forEach(item -> {
            if (!seen.add(item)) {
                repeated.add(item);
            }
        });
        return repeated;
    }
}
