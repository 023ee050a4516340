package io.tidemark.history.generate;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a simulated broker or object does wrong. */
public enum Fault {
    /** Nothing: the history is valid. */
    NONE(null),
    /** A new leader lacks the end of the log, and its epoch begins there. */
    LOSE_TAIL(true),
    /** A record is acknowledged and never appended; its offset is not given to another one. */
    FORGET(true),
    /** An acknowledgement names the offset behind the record's. */
    MISTELL_OFFSET(true),
    /** A reader is given a record that no follower has, and that is gone before anybody else sees it. */
    SERVE_UNREPLICATED(true),
    /** A retry is appended a second time. */
    APPEND_TWICE(true),
    /** A record overtakes the one that its client sent before. */
    OVERTAKE(true),
    /** An offset is left free, and a record that is sent much later gets it. */
    FILL_BELOW(true),
    /** The broker appends a record of its own. */
    INVENT(true),
    /** A send is refused, and its record appended all the same. */
    REFUSE_AND_APPEND(true),
    /** A reader is given the record of the next offset. */
    MIX_UP(true),
    /** A reader is given records again. */
    REWIND(true),
    /** A reader is not given a record. */
    SKIP(true),
    /** An offset is given to no record. */
    LEAVE_HOLE(true),
    /** The end of the log is told as it was long before. */
    STALE_END(true),
    /** An operation finds the object as it was before the last change. */
    STALE(false),
    /** A change is acknowledged and does not happen. */
    DROP(false),
    /** An operation that failed for certain has happened. */
    FAIL_AND_DO(false),
    /** An operation takes effect after it was acknowledged. */
    LATE(false);

    private final @Nullable Boolean ofLog;

    Fault(@Nullable Boolean ofLog) {
        this.ofLog = ofLog;
    }

    /** Whether it is one of a broker, or of any other object; null where of both. */
    @Nullable
    Boolean ofLog() {
        return ofLog;
    }

    /** The name on the command line, for example {@code lose-tail}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Fault> of(String label) {
        return Arrays.stream(values())
                .filter(fault -> fault.label().equals(label))
                .findFirst();
    }
}
