/**
 * One batch of records: what a client produces is checked here, records are found by their timestamp. May depend on {@code core} and Kafka's jars only.
 */
@NullMarked
package io.tidemark.wire.batch;

import org.jspecify.annotations.NullMarked;
