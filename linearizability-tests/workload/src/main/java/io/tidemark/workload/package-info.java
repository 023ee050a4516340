/**
 * Load on a Kafka cluster whose outcome can be judged: producers of unique values, readers, the final read, the
 * recorder of all they see, and the times that partitions were not available. Depends on {@code history} and
 * kafka-clients.
 */
@NullMarked
package io.tidemark.workload;

import org.jspecify.annotations.NullMarked;
