/**
 * The quorum's cores in the place of module {@code Quorum}: how they are started in a state, fed, and read. Knows {@code world},
 * states and the core; nothing of partitions.
 */
@NullMarked
package io.tidemark.conformance.quorum;

import org.jspecify.annotations.NullMarked;
