/**
 * What clients and brokers ask of a broker, without Kafka's byte formats: made and read by {@code wire}, routed by {@code
 * runtime}. May depend on {@code core}, {@code core.log}, {@code core.metadata}, {@code core.controller}'s messages, and
 * {@code core.quorum}'s endpoint and replica key.
 */
@NullMarked
package io.tidemark.core.message;

import org.jspecify.annotations.NullMarked;
