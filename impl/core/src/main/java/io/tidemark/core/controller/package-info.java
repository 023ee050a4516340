/**
 * The active controller: decides over the metadata, its own uncommitted records included. May depend on {@code core} and
 * {@code core.metadata}.
 */
@NullMarked
package io.tidemark.core.controller;

import org.jspecify.annotations.NullMarked;
