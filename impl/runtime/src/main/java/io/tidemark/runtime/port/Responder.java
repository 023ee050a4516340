package io.tidemark.runtime.port;

import io.tidemark.core.ReplyToken;

/**
 * Where the answer to an arrived request goes.
 *
 * @param <T> the family of answers
 */
public interface Responder<T> extends ReplyToken {
    /** From any thread, at most once; what a lost connection cannot take is dropped. */
    void respond(T response);
}
