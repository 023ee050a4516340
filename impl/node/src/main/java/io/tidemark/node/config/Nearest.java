package io.tidemark.node.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds the known name that someone probably meant. */
public final class Nearest {
    private Nearest() {}

    /** The candidate with the fewest edits, at most a third of the word's length (and at least two); null if none is. */
    public static @Nullable String to(String word, Collection<String> candidates) {
        return to(word, candidates, Math.max(2, word.length() / 3));
    }

    /** The candidate with the fewest edits, at most {@code most}; null if none is. */
    static @Nullable String to(String word, Collection<String> candidates, int most) {
        String best = null;
        int bestDistance = most + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
