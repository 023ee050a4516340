/**
 * What clients of a log saw, as a history of operations on disk. Depends on the JDK and {@code history.edn} alone: a
 * history can be recorded and judged without a Kafka client on the class path.
 */
@NullMarked
package io.tidemark.history;

import org.jspecify.annotations.NullMarked;
