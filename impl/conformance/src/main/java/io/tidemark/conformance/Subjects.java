package io.tidemark.conformance;

import io.tidemark.conformance.partition.PartitionSubject;
import io.tidemark.conformance.partition.PartitionWorld;
import io.tidemark.conformance.quorum.QuorumSubject;
import io.tidemark.conformance.world.Subject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the code stands for. */
final class Subjects {
    private Subjects() {}

    /**
     * By the variables of a state.
     *
     * @param constants of the model, each with what is written behind its name
     * @return null where the code stands for no module that has these variables
     */
    static @Nullable Subject<?> of(Set<String> variables, Map<String, String> constants) {
        if (variables.containsAll(List.of("votedKey", "voterFetch")) && !variables.contains("metaLog")) {
            return new QuorumSubject(constants);
        }
        return variables.equals(Set.copyOf(PartitionWorld.VARIABLES)) ? new PartitionSubject(constants) : null;
    }
}
