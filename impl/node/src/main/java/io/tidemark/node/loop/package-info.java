/** Threads and clocks: the runtime's ports as a real machine has them. May depend on {@code runtime.port}. */
@NullMarked
package io.tidemark.node.loop;

import org.jspecify.annotations.NullMarked;
