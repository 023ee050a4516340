/** The {@code tidemark} command: its entry point and its subcommands. May depend on every other package of the module. */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
