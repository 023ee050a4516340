/**
 * A node's configuration under Kafka's own keys, its {@code meta.properties}, and the tool that formats its directory.
 * May depend on {@code runtime}'s settings and ports and on {@code core}.
 */
@NullMarked
package io.tidemark.node.config;

import org.jspecify.annotations.NullMarked;
