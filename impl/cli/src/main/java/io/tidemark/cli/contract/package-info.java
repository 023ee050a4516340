/**
 * What every command shares: options, exit codes, errors, streams and the JSON document. May depend on picocli,
 * Jackson and the node's words for IO errors and for misspelt names; knows no single command.
 */
@NullMarked
package io.tidemark.cli.contract;

import org.jspecify.annotations.NullMarked;
