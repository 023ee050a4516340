/**
 * What the core knows of a replicated log: batch headers, epochs, offsets, producers; record bytes pass through as
 * opaque references. May depend on the JDK only.
 */
@NullMarked
package io.tidemark.core.log;

import org.jspecify.annotations.NullMarked;
