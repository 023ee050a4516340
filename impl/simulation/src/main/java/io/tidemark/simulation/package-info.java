/**
 * Whole clusters in one thread: the real runtime and storage over a seeded world of time, network and disks. May depend on
 * {@code core}, {@code storage}, {@code runtime}, {@code wire}. No clocks, no threads, no iteration over unordered
 * collections: the same seed gives the same run.
 */
@NullMarked
package io.tidemark.simulation;

import org.jspecify.annotations.NullMarked;
