/**
 * The data loop: partitions, the committed metadata, fetchers, what clients ask of a broker. May depend on {@code core},
 * {@code storage}, {@code runtime} and the ports; of {@code runtime.control} it knows the messages that it gets.
 */
@NullMarked
package io.tidemark.runtime.broker;

import org.jspecify.annotations.NullMarked;
