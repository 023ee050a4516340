/**
 * Knossos, Jepsen's checker, as an engine: in a JVM of its own, on models of ours. Depends on {@code history}, {@code
 * engine}, {@code wgl} for the models, and Clojure; Knossos itself is looked for on the class path that the user gives.
 */
@NullMarked
package io.tidemark.history.knossos;

import org.jspecify.annotations.NullMarked;
