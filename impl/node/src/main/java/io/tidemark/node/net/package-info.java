/**
 * Sockets: the server that reads frames and writes answers, and the client that asks other nodes. May depend on
 * {@code core}, {@code wire}, {@code runtime}, {@code storage}'s regions, {@code node.config}'s settings and Netty.
 */
@NullMarked
package io.tidemark.node.net;

import org.jspecify.annotations.NullMarked;
