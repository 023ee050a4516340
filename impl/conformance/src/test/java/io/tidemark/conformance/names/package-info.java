/** The names of the specification, as SANY reads them, held against tables and classes. Knows spec and core. */
@NullMarked
package io.tidemark.conformance.names;

import org.jspecify.annotations.NullMarked;
