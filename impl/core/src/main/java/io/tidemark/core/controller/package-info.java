/**
 * The active controller: decides over the metadata, its own uncommitted records included. May depend on {@code core},
 * {@code core.metadata}, the messages of AlterPartition in {@code core.partition}, and {@code core.quorum}'s endpoint.
 */
@NullMarked
package io.tidemark.core.controller;

import org.jspecify.annotations.NullMarked;
