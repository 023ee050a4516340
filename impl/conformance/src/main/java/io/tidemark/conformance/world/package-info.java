/**
 * What code is put into the specification's place with: a subject and its world of cores, whose ways lead from state to state;
 * an adapter for an action, and a trial for one input. Knows states, and of the core the names of actions and guards.
 */
@NullMarked
package io.tidemark.conformance.world;

import org.jspecify.annotations.NullMarked;
