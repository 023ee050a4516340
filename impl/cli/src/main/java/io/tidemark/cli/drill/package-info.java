/**
 * The {@code drill} command: a cluster of real processes under load and faults, and a verdict that names its evidence.
 * Depends on {@code workload}, {@code history} and the process and contract packages of the command line.
 */
@NullMarked
package io.tidemark.cli.drill;

import org.jspecify.annotations.NullMarked;
