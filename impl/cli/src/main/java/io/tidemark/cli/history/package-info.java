/**
 * {@code history}: histories checked and generated. Depends on the modules {@code history} and {@code knossos}, and on the
 * contract package of the command line.
 */
@NullMarked
package io.tidemark.cli.history;

import org.jspecify.annotations.NullMarked;
