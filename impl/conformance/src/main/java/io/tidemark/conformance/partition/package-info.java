/**
 * Brokers, controllers and replicas in the place of module {@code Partition}: how their cores are started in a state, fed, and
 * read. Knows {@code world}, states and the core; nothing of the quorum.
 */
@NullMarked
package io.tidemark.conformance.partition;

import org.jspecify.annotations.NullMarked;
