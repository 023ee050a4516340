package io.tidemark.core.quorum;

/** Where a listener is reached. */
public record Endpoint(String listener, String host, int port) {}
