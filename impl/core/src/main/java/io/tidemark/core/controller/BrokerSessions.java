package io.tidemark.core.controller;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which brokers have a live session, and what they last reported. Soft state: a new active controller starts with a fresh
 * session for every unfenced broker; the runtime ends a session with BrokerSessionTimeout.
 */
final class BrokerSessions {
    static final long NOT_SHUTTING_DOWN = -1;

    /** One broker's session. */
    static final class Session {
        /** Last metadata offset that the broker has applied; -1 before its first heartbeat. */
        long metadataOffset = -1;
        /** Metadata offset that every active broker must have applied before this one may go. */
        long shutdownOffset = NOT_SHUTTING_DOWN;
    }

    private final TreeMap<Integer, Session> sessions = new TreeMap<>();

    boolean live(int broker) {
        return sessions.containsKey(broker);
    }

    @Nullable
    Session get(int broker) {
        return sessions.get(broker);
    }

    /** The session of the broker, begun if there is none. */
    Session touch(int broker) {
        return sessions.computeIfAbsent(broker, any -> new Session());
    }

    /** A new incarnation: nothing is known of it. */
    void renew(int broker) {
        sessions.put(broker, new Session());
    }

    /** Whether there was one. */
    boolean end(int broker) {
        return sessions.remove(broker) != null;
    }

    void clear() {
        sessions.clear();
    }
}
