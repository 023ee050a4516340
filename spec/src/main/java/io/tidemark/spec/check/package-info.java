/** Runs of the manifest's models against what it expects of them, the cache of their results, and the texts of {@code explain}. */
@NullMarked
package io.tidemark.spec.check;

import org.jspecify.annotations.NullMarked;
