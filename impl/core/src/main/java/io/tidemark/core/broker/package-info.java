/**
 * A broker's registration with the controller and what keeps it: heartbeats, controlled shutdown (KIP-631). No more of a
 * broker is here: its replicas are {@code core.partition}, what it does for clients is {@code runtime.broker}. The spec keeps
 * these actions in its module Controller. May depend on {@code core}, {@code core.controller}'s messages, {@code
 * core.metadata}, and {@code core.quorum}'s endpoint.
 */
@NullMarked
package io.tidemark.core.broker;

import org.jspecify.annotations.NullMarked;
