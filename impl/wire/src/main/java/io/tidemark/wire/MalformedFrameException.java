package io.tidemark.wire;

/**
 * A frame that cannot be understood; its connection is to be closed, as Kafka does. The message is one line for the log,
 * without bytes from the network in it.
 */
public final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean notServed;

    private MalformedFrameException(String message, boolean notServed, Throwable cause) {
        super(message, cause, false, true);
        this.notServed = notServed;
    }

    MalformedFrameException(String message) {
        super(message, null, false, true);
        this.notServed = false;
    }

    MalformedFrameException(String message, Throwable cause) {
        this(message, false, cause);
    }

    static MalformedFrameException notServed(String what) {
        MalformedFrameException unsupported =
                new MalformedFrameException(what, true, new UnsupportedOperationException());
        return unsupported;
    }

    /** The frame may be fine, but names an API or a version that this listener does not serve. */
    public boolean notServed() {
        return notServed;
    }
}
