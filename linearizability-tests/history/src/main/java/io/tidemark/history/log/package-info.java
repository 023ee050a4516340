/**
 * The linear-time check of a history of sends and polls, and of the replicas' logs. Depends on {@code history} and the
 * JDK.
 */
@NullMarked
package io.tidemark.history.log;

import org.jspecify.annotations.NullMarked;
