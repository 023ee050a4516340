/** The two loops put together to a node. May depend on everything else of the runtime; nothing depends on it. */
@NullMarked
package io.tidemark.runtime.node;

import org.jspecify.annotations.NullMarked;
