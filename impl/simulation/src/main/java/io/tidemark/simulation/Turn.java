package io.tidemark.simulation;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happens from outside in a run.
 *
 * @param atMs virtual ms after the clients began
 * @param target null for what is aimed at no node
 * @param draw the seed of its details (which nodes, how long, how much), so that leaving out another turn changes nothing of
 *     this one
 */
public record Turn(long atMs, Act act, @Nullable Target target, long draw) {
    @Override
    public String toString() {
        return atMs + " ms " + act.label() + (target == null || target.who() == Target.Who.ONE ? "" : "@" + target);
    }
}
