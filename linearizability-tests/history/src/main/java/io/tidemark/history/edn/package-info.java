/** Extensible Data Notation, the format of Jepsen's histories: values, reader, writer. Depends on the JDK alone. */
@NullMarked
package io.tidemark.history.edn;

import org.jspecify.annotations.NullMarked;
