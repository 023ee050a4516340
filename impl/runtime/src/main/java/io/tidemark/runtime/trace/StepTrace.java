package io.tidemark.runtime.trace;

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
import io.tidemark.core.quorum.QuorumCore;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.runtime.StepListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the steps of one life of a node. A step that took no action is told where it changed a variable all the same, or sent
 * what another step will take up. Each core belongs to one loop, and so do its variables here.
 */
final class StepTrace implements StepListener {
    private final TraceLog log;
    private final int node;
    private final QuorumTrace quorum = new QuorumTrace();
    private final ControllerTrace controller = new ControllerTrace();
    private final Map<TopicPartition, PartitionTrace> partitions = new TreeMap<>();

    StepTrace(TraceLog log, int node) {
        this.log = log;
        this.node = node;
    }

    private void write(
            @Nullable SpecAction action,
            Object input,
            Map<String, ? extends @Nullable Object> args,
            Map<String, ? extends @Nullable Object> state) {
        log.write(node, action == null ? input.getClass().getSimpleName() : action.name(), args, state);
    }

    @Override
    public void quorumStarts(QuorumCore core) {
        log.write(node, "RestartNode", Map.of(), quorum.changes(core.view()));
    }

    @Override
    public void quorum(QuorumCore core, QuorumInput input, Step<QuorumEffect> step) {
        Map<String, @Nullable Object> state = quorum.changes(core.view());
        if (step.action() != null || !state.isEmpty() || QuorumTrace.answers(input, step)) {
            write(step.action(), input, QuorumTrace.args(input, step), state);
        }
    }

    @Override
    public void controller(ControllerCore core, ControllerInput input, Step<ControllerEffect> step) {
        boolean turns = input instanceof ControllerInput.Activate || input instanceof ControllerInput.Deactivate;
        if (!core.view().active() && !turns) {
            return;
        }
        Map<String, @Nullable Object> state = controller.changes(core.view(), step);
        if (step.action() != null || !state.isEmpty() || turns || ControllerTrace.answers(input)) {
            write(step.action(), input, ControllerTrace.args(core.view(), input, step), state);
        }
    }

    @Override
    public void broker(BrokerInput input, Step<BrokerEffect> step) {
        Map<String, @Nullable Object> state = new LinkedHashMap<>();
        for (BrokerEffect effect : step.effects()) {
            if (effect instanceof BrokerEffect.StateChanged changed) {
                state.put("up", changed.state());
                state.put("brokerEpoch", changed.brokerEpoch());
            }
        }
        if (step.action() != null || !state.isEmpty()) {
            write(step.action(), input, Map.of(), state);
        }
    }

    @Override
    public void partition(
            TopicPartition partition, PartitionCore core, PartitionInput input, Step<PartitionEffect> step) {
        PartitionTrace replica = partitions.computeIfAbsent(partition, id -> new PartitionTrace());
        Map<String, @Nullable Object> state = replica.changes(core.view());
        boolean told = input instanceof PartitionInput.FollowerRead || input instanceof PartitionInput.ApplyFlushChange;
        if (step.action() != null || !state.isEmpty() || told) {
            Map<String, @Nullable Object> args = new LinkedHashMap<>();
            args.put("partition", ControllerTrace.id(partition));
            args.putAll(replica.args(core.view(), input, step));
            write(step.action(), input, args, state);
        }
    }
}
