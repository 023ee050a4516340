/**
 * A node's configuration under Kafka's own keys, its {@code meta.properties}, and the tool that formats its directory.
 * May depend on {@code runtime}'s settings, {@code core}, {@code storage} and {@code wire}'s description of a node.
 */
@NullMarked
package io.tidemark.node.config;

import org.jspecify.annotations.NullMarked;
