package io.tidemark.runtime.port;

/** Time as people know it, ms since 1970: for record timestamps and reports, never for a decision of the protocol. */
public interface WallClock {
    long nowMs();
}
