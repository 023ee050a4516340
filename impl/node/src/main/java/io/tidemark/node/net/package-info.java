/**
 * Sockets: the server that reads frames and writes answers, and the client that asks other nodes. Nothing here knows what
 * a request means; may depend on {@code wire}, {@code runtime} and Netty.
 */
@NullMarked
package io.tidemark.node.net;

import org.jspecify.annotations.NullMarked;
