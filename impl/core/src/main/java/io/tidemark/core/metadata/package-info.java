/**
 * The cluster's metadata: the records of the metadata log in the core's own terms, and their fold. May depend on {@code
 * core}, {@code core.log}, and {@code core.quorum}'s endpoints and control records only.
 */
@NullMarked
package io.tidemark.core.metadata;

import org.jspecify.annotations.NullMarked;
