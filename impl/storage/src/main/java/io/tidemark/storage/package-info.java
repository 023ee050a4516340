/**
 * A broker's data on disk, in Kafka's formats: segmented log, indexes, checkpoints, vote file. Everything that touches a
 * file goes through {@link io.tidemark.storage.Disk}, so that a simulator can lose what was not fsynced. May depend on
 * {@code io.tidemark.core.log}, {@code core.quorum}'s state and replica key, and the JDK; holds no protocol decision, starts
 * no thread, reads no clock.
 *
 * <p>A log keeps leader epochs and producers beside those of its replica's core, because files are written of moments that the
 * core is past: it takes all batches of an input at once, and a segment that is completed between two of them gets a snapshot of
 * the producers there; a flush on its own thread writes the epochs as they were when it began. Both are folds of the same batches
 * by the same rules ({@code core.log.Producers}). Where a fold is not enough one side tells the other: the core its epochs,
 * among them those in which nothing was written ({@link io.tidemark.storage.PartitionLog#writeEpochs}), and which producers expired
 * ({@link io.tidemark.storage.PartitionLog#forgetProducer}); the log the producers that a truncation left ({@link
 * io.tidemark.storage.PartitionLog#truncateTo}) or that it came up with ({@link io.tidemark.storage.Recovered}). {@code
 * runtime}'s {@code CoreAndLogAgreeTest} compares them.
 */
@NullMarked
package io.tidemark.storage;

import org.jspecify.annotations.NullMarked;
