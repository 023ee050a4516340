/**
 * {@code history}: histories checked and generated. Depends on the module {@code history} and on the contract package of
 * the command line.
 */
@NullMarked
package io.tidemark.cli.history;

import org.jspecify.annotations.NullMarked;
