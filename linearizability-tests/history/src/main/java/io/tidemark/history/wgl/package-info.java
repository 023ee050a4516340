/**
 * The search for a linearization, after Wing and Gong, and Lowe; and the models that it knows. Depends on {@code history},
 * {@code engine}, the keys of {@code log}, and the JDK.
 */
@NullMarked
package io.tidemark.history.wgl;

import org.jspecify.annotations.NullMarked;
