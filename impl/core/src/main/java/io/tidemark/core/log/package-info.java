/**
 * What the core knows of a replicated log: batch headers, epochs, offsets, producers; record bytes pass through as
 * opaque references. May depend on {@code core}'s error codes and the JDK only.
 */
@NullMarked
package io.tidemark.core.log;

import org.jspecify.annotations.NullMarked;
