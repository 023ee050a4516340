/**
 * Runs TLC on the specification and reads what it says. Four packages: {@code model} (what is to be checked), {@code tlc}
 * (one run), {@code trace} (counterexamples), {@code check} (runs against expectations). Depends on TLC and Jackson,
 * never on the protocol's code.
 */
@NullMarked
package io.tidemark.spec;

import org.jspecify.annotations.NullMarked;
