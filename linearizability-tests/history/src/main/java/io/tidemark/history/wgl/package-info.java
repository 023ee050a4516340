/**
 * The search for a linearization, after Wing and Gong, and Lowe; and the models that it knows. Depends on {@code history},
 * {@code engine}, and the JDK.
 */
@NullMarked
package io.tidemark.history.wgl;

import org.jspecify.annotations.NullMarked;
