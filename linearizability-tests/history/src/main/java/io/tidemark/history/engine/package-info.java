/** What all engines have in common: their interface, its options and its results. Depends on {@code history} and the JDK. */
@NullMarked
package io.tidemark.history.engine;

import org.jspecify.annotations.NullMarked;
