/** Kafka's own command line tools: which there are, how their jars are fetched. Depends on {@code contract} alone. */
@NullMarked
package io.tidemark.cli.kafka;

import org.jspecify.annotations.NullMarked;
