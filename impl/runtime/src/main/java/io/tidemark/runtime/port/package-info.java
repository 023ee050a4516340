/** What a node and a simulator supply: loops, time, network. May depend on {@code core}'s endpoint and reply token only. */
@NullMarked
package io.tidemark.runtime.port;

import org.jspecify.annotations.NullMarked;
