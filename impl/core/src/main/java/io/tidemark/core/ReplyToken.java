package io.tidemark.core;

/** Where an answer goes; made by the runtime, carried through the core untouched. Identity is equality. */
public interface ReplyToken {}
