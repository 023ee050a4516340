/**
 * The life of one broker as the controller sees it: registration, heartbeats, controlled shutdown (KIP-631). The spec
 * keeps these actions in its module Controller. May depend on {@code core} and {@code core.controller}'s messages.
 */
@NullMarked
package io.tidemark.core.broker;

import org.jspecify.annotations.NullMarked;
