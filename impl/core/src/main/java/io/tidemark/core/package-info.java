/**
 * The deterministic protocol core: what a broker, a controller and a quorum voter decide, and nothing of how it is
 * carried out. May depend on the JDK's language, collections and functions only: no sockets, files, threads, clocks,
 * randomness, logging.
 */
@NullMarked
package io.tidemark.core;

import org.jspecify.annotations.NullMarked;
