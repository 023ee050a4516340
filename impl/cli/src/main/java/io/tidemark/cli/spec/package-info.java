/**
 * {@code spec}: list, check, explain and step through the specification. Depends on the module {@code spec}, on the
 * names of the core's actions, and on the contract package of the command line.
 */
@NullMarked
package io.tidemark.cli.spec;

import org.jspecify.annotations.NullMarked;
