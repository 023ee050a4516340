/**
 * The data loop: partitions, the committed metadata, fetchers, what clients ask of a broker. May depend on {@code core},
 * {@code storage} and the ports; reaches the control loop through messages alone.
 */
@NullMarked
package io.tidemark.runtime.broker;

import org.jspecify.annotations.NullMarked;
