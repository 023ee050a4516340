/**
 * A broker's data on disk, in Kafka's formats: segmented log, indexes, checkpoints, vote file. Everything that touches a
 * file goes through {@link io.tidemark.storage.Disk}, so that a simulator can lose what was not fsynced. May depend on
 * {@code io.tidemark.core.log}, {@code core.quorum}'s state and replica key, and the JDK; holds no protocol decision, starts no thread, reads no clock.
 */
@NullMarked
package io.tidemark.storage;

import org.jspecify.annotations.NullMarked;
