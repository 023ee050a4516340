/** Tables of primitives that the checkers share. Depends on the JDK alone. */
@NullMarked
package io.tidemark.history.columns;

import org.jspecify.annotations.NullMarked;
