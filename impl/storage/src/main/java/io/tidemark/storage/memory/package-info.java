/**
 * A disk in memory that forgets what was not made durable, for simulation and tests. May depend on the
 * {@code io.tidemark.storage} port and the JDK; its only randomness is the generator it is given.
 */
@NullMarked
package io.tidemark.storage.memory;

import org.jspecify.annotations.NullMarked;
