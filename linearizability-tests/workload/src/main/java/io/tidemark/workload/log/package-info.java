/**
 * Reads the log segments of nodes from their directories, for the comparison of replicas. Depends on {@code history}
 * and, in {@link io.tidemark.workload.log.RecordValues} alone, on kafka-clients' record classes.
 */
@NullMarked
package io.tidemark.workload.log;

import org.jspecify.annotations.NullMarked;
