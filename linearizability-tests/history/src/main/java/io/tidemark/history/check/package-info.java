/**
 * The check of a history with the engines that fit it. Depends on {@code history}, {@code engine}, {@code log}, {@code wgl}
 * and the JDK.
 */
@NullMarked
package io.tidemark.history.check;

import org.jspecify.annotations.NullMarked;
