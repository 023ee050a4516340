package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guards;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.partition.AlterPartitionAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One input to the active controller. */
final class ControllerTrial implements Trial {
    private final State state;
    private final boolean elr;
    private final boolean unclean;
    private final Guards guards;
    private @Nullable ControllerCore core;
    private @Nullable ControllerInput input;
    private @Nullable String answered;

    ControllerTrial(State state, boolean elr, boolean unclean, Guards guards) {
        this.state = state;
        this.elr = elr;
        this.unclean = unclean;
        this.guards = guards;
    }

    /** Started when it is asked for: whoever wants the input alone has a core of its own. */
    private ControllerCore core() {
        ControllerCore started = core;
        if (started == null) {
            started = ControllerStart.of(state, elr, unclean, guards);
            core = started;
        }
        return started;
    }

    ControllerInput input() {
        return Objects.requireNonNull(input);
    }

    /** Whether unclean elections are enabled at that moment. */
    boolean unclean() {
        return unclean;
    }

    ControllerTrial input(ControllerInput given) {
        input = given;
        return this;
    }

    /** Compares the answer to the leader's AlterPartition. */
    ControllerTrial answers(String leader) {
        answered = leader;
        return this;
    }

    @Override
    public Map<String, Object> expectedBefore() {
        return ControllerVariables.specified(state);
    }

    @Override
    public Map<String, Object> before() {
        return ControllerVariables.shown(core().view());
    }

    @Override
    public Outcome apply() {
        Object part = String.valueOf(core().view().part(ControllerNames.PARTITION));
        Step<ControllerEffect> step = core().apply(input());
        Map<String, Object> all = ControllerVariables.shown(core().view());
        List<String> appended = new ArrayList<>();
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                append.records().forEach(record -> appended.add(type(record)));
                if (appended.contains("partition") && part.equals(all.get("part"))) {
                    // As Kafka's, each change of minIsr clears the ELR, though there be none; the specification leaves
                    // such a record out.
                    appended.remove("partition");
                    all.put("metaLog", core().view().metaLogEnd() - ControllerNames.BASE - 2);
                }
            } else if (effect instanceof ControllerEffect.Reply reply && answered != null) {
                all.put("answer", answer(reply));
            }
        }
        all.put("appended", appended);
        return new Outcome(step.action(), all);
    }

    private static String type(MetadataRecord record) {
        if (record instanceof MetadataRecord.PartitionChange || record instanceof MetadataRecord.ClearElr) {
            return "partition";
        }
        return record instanceof MetadataRecord.Config ? "minIsr" : "broker";
    }

    private static Object answer(ControllerEffect.Reply reply) {
        String rests = reply.requires() instanceof Requires.Committed committed
                ? " resting on " + (committed.endOffset() - ControllerNames.BASE - 1)
                : " resting on nothing";
        if (reply.response() instanceof ControllerResponse.Refused refused) {
            return refused.error() + rests;
        }
        AlterPartitionAnswer answer = ((ControllerResponse.AlteredPartitions) reply.response())
                .partitions()
                .get(0)
                .answer();
        return answer.error() != ErrorCode.NONE
                ? answer.error() + rests
                : "ISR " + answer.isr() + " in " + answer.leaderEpoch() + "/" + answer.partitionEpoch() + rests;
    }

    @Override
    public Map<String, Object> expected(State next) {
        Map<String, Object> all = ControllerVariables.specified(next);
        List<String> appended = new ArrayList<>();
        Val metaLog = next.get("metaLog");
        for (int i = state.get("metaLog").size() + 1; i <= metaLog.size(); i++) {
            appended.add(metaLog.at(i).at("type").text());
        }
        all.put("appended", appended);
        if (answered != null && !next.get("apResp", answered).isNil()) {
            Val answer = next.get("apResp", answered);
            String error = answer.at("error").text();
            String rests = " resting on " + answer.at("offset");
            all.put(
                    "answer",
                    error.equals("NONE")
                            ? "ISR " + Brokers.ids(next, answer.at("isr")) + " in " + answer.at("leaderEpoch") + "/"
                                    + answer.at("partitionEpoch") + rests
                            : error + rests);
        }
        return all;
    }
}
