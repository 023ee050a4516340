/** States of the specification, as TLC computes them in this JVM. Knows TLC and nothing of the code. */
@NullMarked
package io.tidemark.conformance.states;

import org.jspecify.annotations.NullMarked;
