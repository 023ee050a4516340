/** {@code trace}: what ran, held against the specification. Knows the contract of commands, {@code spec} and {@code conformance}. */
@NullMarked
package io.tidemark.cli.trace;

import org.jspecify.annotations.NullMarked;
