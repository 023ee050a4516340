package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The replicas of a model, and what its states say of all of them. */
public record Replicas(Settings settings, Guards guards) {
    /**
     * Constants of the model.
     *
     * @param flushes FlushEveryMessage
     * @param persists whether fsyncs happen at all: FlushEveryMessage or BackgroundFlush
     * @param lateReads LateReads
     * @param records those at first and those that producers may send
     */
    public record Settings(boolean flushes, boolean persists, boolean lateReads, int records) {}

    /** A replica that acts on metadata, started in the state; null where there is none. */
    @Nullable
    ReplicaTrial acting(State state, String broker) {
        boolean acts =
                Brokers.alive(state, broker) && state.get("applied", broker).integer() > 0;
        return acts ? started(state, broker) : null;
    }

    ReplicaTrial started(State state, String broker) {
        return new ReplicaTrial(state, broker, settings.flushes(), guards);
    }

    static int budget(State state, String kind) {
        return state.get("budget", kind).integer();
    }

    /** What was abandoned and may still arrive; null if it is of another type. */
    static @Nullable Val ghost(State state, String type) {
        List<Val> ghosts = state.get("ghosts").list();
        return ghosts.isEmpty() || !ghosts.get(0).at("type").text().equals(type) ? null : ghosts.get(0);
    }
}
