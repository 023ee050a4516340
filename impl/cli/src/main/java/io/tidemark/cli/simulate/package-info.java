/**
 * The {@code simulate} command: whole clusters by seed in a simulated world, and what became of them. Depends on the module
 * {@code simulation} and on the contract package of the command line; threads are here, the simulator has none. Its
 * {@code --explore} depends on {@code spec} and {@code conformance}.
 */
@NullMarked
package io.tidemark.cli.simulate;

import org.jspecify.annotations.NullMarked;
