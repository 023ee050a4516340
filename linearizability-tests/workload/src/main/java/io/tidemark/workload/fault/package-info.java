/**
 * Faults that are injected into a running cluster, and the proof that each took effect. What the cluster is made of is
 * behind {@link io.tidemark.workload.fault.Target}: processes here, containers elsewhere. Depends on {@code workload}.
 */
@NullMarked
package io.tidemark.workload.fault;

import org.jspecify.annotations.NullMarked;
