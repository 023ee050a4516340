package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Val;
import io.tidemark.core.SpecAction;
import io.tidemark.core.controller.ControllerEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step of the controller did.
 *
 * @param action null where the input was refused
 * @param appended the records, as entries of {@code metaLog}
 * @param metaHw then
 * @param reply null where there is none
 */
record ControllerStep(
        @Nullable SpecAction action, List<Val> appended, int metaHw, ControllerEffect.@Nullable Reply reply) {}
