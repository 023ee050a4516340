package io.tidemark.history.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a history is a history of. */
public enum HistoryModel {
    /** Sends and polls of a partitioned log. */
    LOG,
    /** Read, write and cas of one register; a failed cas tells nothing. */
    REGISTER,
    /** The same; a failed cas without an error observed another value than the one it compared with. */
    CAS_REGISTER,
    /** Transactions that read and write several registers at one moment. */
    MULTI_REGISTER,
    /** Acquire and release; it does not matter who releases. */
    MUTEX,
    /** Get, put and append of strings, each key by itself, initially empty. */
    KV,
    /** Creation, deletion and existence of topics, each by itself. */
    TOPIC;

    /** The name on the command line, for example {@code cas-register}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<HistoryModel> of(String label) {
        return Arrays.stream(values())
                .filter(model -> model.label().equals(label))
                .findFirst();
    }
}
