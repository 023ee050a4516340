/**
 * The controller quorum: KRaft (KIP-595, 853, 996) as a state machine over one replica of the metadata log, whose records
 * are bytes to it. May depend on {@code core} and {@code core.log}.
 */
@NullMarked
package io.tidemark.core.quorum;

import org.jspecify.annotations.NullMarked;
