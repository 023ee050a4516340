package io.tidemark.runtime.trace;

import io.tidemark.core.quorum.QuorumView;
import io.tidemark.core.quorum.ReplicaKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One replica of the quorum: its variables. */
final class QuorumTrace {
    private final LogChange log = new LogChange();
    private final Known known = new Known();

    /** What the step changed; everything at the first call. */
    Map<String, @Nullable Object> changes(QuorumView view) {
        Map<String, @Nullable Object> now = new LinkedHashMap<>();
        ReplicaKey voted = view.votedKey();
        now.put("currentEpoch", view.currentEpoch());
        now.put(
                "votedKey",
                voted == null ? null : PartitionTrace.object("id", voted.id(), "directory", voted.directoryId()));
        now.put("leaderId", view.leaderId());
        now.put("role", view.role());
        now.put("logStart", view.logStart());
        now.put("flushed", view.flushed());
        now.put("hw", view.hw());
        now.put("grants", new ArrayList<>(view.grants()));
        now.put("voterFetch", new TreeMap<>(view.voterFetch()));
        Map<String, @Nullable Object> changed = known.changes(now);
        Map<String, @Nullable Object> logChange =
                log.next(view.log().starts(), view.logStart(), view.log().endOffset());
        if (logChange != null) {
            changed.put("log", logChange);
        }
        return changed;
    }
}
