/**
 * {@code trace}: behaviours of specification and code, put to the other. Depends on the modules {@code spec} and
 * {@code conformance}, and on the contract package of the command line.
 */
@NullMarked
package io.tidemark.cli.trace;

import org.jspecify.annotations.NullMarked;
