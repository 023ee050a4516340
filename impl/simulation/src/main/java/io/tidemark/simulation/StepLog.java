package io.tidemark.simulation;

import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.broker.BrokerEffect;
import io.tidemark.core.broker.BrokerInput;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.partition.PartitionCore;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import io.tidemark.core.partition.PartitionView;
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumView;
import io.tidemark.runtime.StepListener;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts every step of every core, mixes it into the run's hash, and tells it in words. */
final class StepLog {
    /** Too many to be told. */
    private static final Set<SpecAction> UNTOLD = EnumSet.of(
            SpecAction.HandleMetadataFetch,
            SpecAction.HandleMetadataFetchResponse,
            SpecAction.ConsumerRead,
            SpecAction.PersistLog);

    private static final int QUORUM = 0;
    private static final int CONTROLLER = 1;
    private static final int BROKER = 2;
    /** And the partition's number. */
    private static final int PARTITION = 3;

    /** An action's number in the hash, and how often it was taken. */
    private static final class Tally {
        final int number;
        long taken;

        Tally(int number) {
            this.number = number;
        }
    }

    private final World world;
    private final EnumMap<SpecAction, Tally> tallies = new EnumMap<>(SpecAction.class);
    private long steps;

    StepLog(World world) {
        this.world = world;
        for (SpecAction action : SpecAction.values()) {
            tallies.put(action, new Tally(tallies.size()));
        }
    }

    private Tally tally(SpecAction action) {
        Tally tally = tallies.get(action);
        if (tally == null) {
            throw new IllegalStateException("an action without a tally: " + action);
        }
        return tally;
    }

    long steps() {
        return steps;
    }

    /** How often each spec action was taken. */
    SortedMap<String, Long> taken() {
        TreeMap<String, Long> counts = new TreeMap<>();
        tallies.forEach((action, tally) -> {
            if (tally.taken > 0) {
                counts.put(action.name(), tally.taken);
            }
        });
        return counts;
    }

    StepListener of(int node) {
        return new StepListener() {
            @Override
            public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
                QuorumView view = core.view();
                if (count(step)) {
                    world.tell(() -> "node " + node + " quorum " + step.action() + ": " + view.role() + " in epoch "
                            + view.currentEpoch() + (view.leaderId() < 0 ? "" : ", leader " + view.leaderId()) + ", hw "
                            + view.hw() + " of " + view.log().endOffset());
                }
                trace(QUORUM, step, view.currentEpoch(), view.hw());
            }

            @Override
            public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
                if (count(step)) {
                    for (ControllerEffect effect : step.effects()) {
                        if (effect instanceof ControllerEffect.Append append) {
                            world.tell(() -> "controller " + node + " " + step.action() + " appends at "
                                    + append.baseOffset() + " in epoch " + append.epoch() + ": "
                                    + StepWords.records(append.records()));
                        }
                    }
                }
                trace(CONTROLLER, step, 0, 0);
            }

            @Override
            public void broker(BrokerInput input, Step<BrokerEffect> step) {
                count(step);
                trace(BROKER, step, 0, 0);
            }

            @Override
            public void partition(
                    TopicPartition id, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
                PartitionView view = core.view();
                if (count(step)) {
                    world.tell(() -> "broker " + node + " p" + id.partition() + " " + step.action()
                            + (input instanceof PartitionInput.HandleFetch fetch
                                    ? " of " + fetch.replicaId() + " from " + fetch.fetchOffset()
                                    : "")
                            + ": " + view.role() + ", " + StepWords.replica(view));
                }
                trace(PARTITION + id.partition(), step, view.logEnd(), view.hw());
            }

            private void trace(int core, Step<?> step, long first, long second) {
                SpecAction action = step.action();
                world.trace(node * 10_000 + core, action == null ? -1 : tally(action).number, first, second);
            }
        };
    }

    /** Returns whether it is told. */
    private boolean count(Step<?> step) {
        steps++;
        SpecAction action = step.action();
        if (action != null) {
            tally(action).taken++;
        }
        return world.telling() && action != null && !UNTOLD.contains(action);
    }
}
