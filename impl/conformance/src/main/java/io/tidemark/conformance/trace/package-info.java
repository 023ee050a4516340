/**
 * Holds a trace of the code against the specification: reads its lines, makes the steps of the specification that they tell
 * of, and lets TLC follow them. Knows the specification and the runner of TLC; of the code the names in the lines alone.
 */
@NullMarked
package io.tidemark.conformance.trace;

import org.jspecify.annotations.NullMarked;
