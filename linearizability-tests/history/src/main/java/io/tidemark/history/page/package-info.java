/**
 * A page about checked histories for people. Depends on {@code history}, {@code engine}, {@code check}, the keys of
 * {@code log}, and the JDK.
 */
@NullMarked
package io.tidemark.history.page;

import org.jspecify.annotations.NullMarked;
