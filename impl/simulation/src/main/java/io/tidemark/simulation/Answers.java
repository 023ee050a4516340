package io.tidemark.simulation;

import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerResponse;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an active controller answers rests on everything that it has decided so far, and must not be heard before that is
 * committed: another controller may never have decided it ({@code controller-committed-answers}). The simulator looks at
 * the answer when it leaves the node, and at what is committed by then, not at what the node believes.
 */
final class Answers {
    /** The last record that an answer rests on. */
    private record Rests(long offset, int epoch) {}

    /** By its identity: two answers may be equal. */
    private record Given(ControllerResponse response, Rests rests) {}

    private final List<Exposure.Known> committed;
    /** What has not left yet, of each node, in the order of the decisions; a few hang on where a process died. */
    private final TreeMap<Integer, ArrayDeque<Given>> given = new TreeMap<>();

    /** @param committed the committed records of the metadata log by offset, as they become known */
    Answers(List<Exposure.Known> committed) {
        this.committed = committed;
    }

    /** What one controller, in one of its terms, has decided last. */
    final class Term {
        private final ArrayDeque<Given> mine;
        private @Nullable Rests last;

        Term(int node) {
            mine = given.computeIfAbsent(node, key -> new ArrayDeque<>());
        }

        /** After a step of that controller. */
        void stepped(ControllerCore core, Step<ControllerEffect> step) {
            for (ControllerEffect effect : step.effects()) {
                if (effect instanceof ControllerEffect.Append append) {
                    last = new Rests(append.baseOffset() + append.records().size() - 1, append.epoch());
                } else if (effect instanceof ControllerEffect.Reply reply
                        && last != null
                        && core.view().active()) {
                    mine.add(new Given(reply.response(), last));
                }
            }
        }
    }

    /** An answer leaves the node. */
    void leaves(int node, Object response) {
        Rests rests = response instanceof ControllerResponse answer ? take(node, answer) : null;
        if (rests != null) {
            boolean has = rests.offset() < committed.size()
                    && committed.get((int) rests.offset()).epoch() == rests.epoch();
            Invariants.require(
                    has,
                    "AnswersCommitted",
                    "the controller of node " + node + " answers " + response + " although record " + rests.offset()
                            + " of epoch " + rests.epoch() + ", on which it rests, is not committed");
        }
    }

    private @Nullable Rests take(int node, ControllerResponse answer) {
        for (Iterator<Given> each = given.getOrDefault(node, new ArrayDeque<>()).iterator(); each.hasNext(); ) {
            Given next = each.next();
            if (isSame(next.response(), answer)) {
                each.remove();
                return next.rests();
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // two answers may be equal
    private static boolean isSame(ControllerResponse one, ControllerResponse other) {
        return one == other;
    }
}
