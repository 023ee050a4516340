/**
 * What clients and brokers ask of a broker, without Kafka's byte formats: made and read by {@code wire}, routed by {@code
 * runtime}. May depend on {@code core} and its other packages' values.
 */
@NullMarked
package io.tidemark.core.message;

import org.jspecify.annotations.NullMarked;
