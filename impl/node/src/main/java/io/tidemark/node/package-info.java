/** A node as a process: its main class, and the tool that formats its directory. May depend on everything below it. */
@NullMarked
package io.tidemark.node;

import org.jspecify.annotations.NullMarked;
