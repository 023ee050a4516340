/**
 * Kafka's bytes: frames, requests and answers, record batches, metadata records, each mapped to and from the core's neutral
 * messages. The one place that knows kafka-clients' internal classes. May depend on {@code core} and Kafka's jars only; does
 * no IO, holds no connection.
 */
@NullMarked
package io.tidemark.wire;

import org.jspecify.annotations.NullMarked;
