/**
 * The controller quorum: KRaft (KIP-595, 853, 996) as a state machine over one replica of the metadata log. May depend
 * on {@code core}, {@code core.log} and {@code core.metadata}.
 */
@NullMarked
package io.tidemark.core.quorum;

import org.jspecify.annotations.NullMarked;
