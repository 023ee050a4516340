/**
 * The life of one broker as the controller sees it: registration, heartbeats, controlled shutdown (KIP-631). The spec
 * keeps these actions in its module Controller. May depend on {@code core}, {@code core.controller}'s messages, {@code
 * core.metadata}, and {@code core.quorum}'s endpoint.
 */
@NullMarked
package io.tidemark.core.broker;

import org.jspecify.annotations.NullMarked;
