/**
 * A cluster of real processes on this machine: its directory, its nodes' JVMs, their signals. Used by the commands, by
 * the drill and by end-to-end tests. May depend on {@code contract} and the node's tools; knows no command.
 */
@NullMarked
package io.tidemark.cli.process;

import org.jspecify.annotations.NullMarked;
