package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Feeds a controller, and tells what it appends, as entries of {@code metaLog}: each record with the image of the metadata after it. */
final class ControllerCores {
    private ControllerCores() {}

    /**
     * Hands the input to the controller, and where the model commits at once, what is appended is.
     *
     * @param unclean whether unclean elections are enabled
     */
    static ControllerStep step(
            State state, PartitionConstants constants, boolean unclean, ControllerCore core, ControllerInput input) {
        Step<ControllerEffect> step = core.apply(input);
        List<Val> appended = List.of();
        ControllerEffect.Reply reply = null;
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                appended = entries(state, ControllerStart.metadata(state, constants.elr(), unclean), append);
            } else if (effect instanceof ControllerEffect.Reply answer) {
                reply = answer;
            }
        }
        if (!appended.isEmpty() && constants.commitAtOnce()) {
            core.apply(new ControllerInput.CommitMetadata(core.view().metaLogEnd()));
        }
        int end = state.get("metaLog").size() + appended.size();
        int metaHw = Math.min(end, (int) (core.view().metaHw() - ControllerNames.BASE - 1));
        return new ControllerStep(step.action(), appended, metaHw, reply);
    }

    static ControllerStep standing(ControllerCore core) {
        ControllerView view = core.view();
        Map<String, Val> image = new TreeMap<>(image(view.metadata()));
        image.put("end", Val.of((int) (view.metaLogEnd() - ControllerNames.BASE - 1)));
        return new ControllerStep(
                null, List.of(Val.function(image)), (int) (view.metaHw() - ControllerNames.BASE - 1), null);
    }

    private static List<Val> entries(State state, MetadataState metadata, ControllerEffect.Append append) {
        Val metaLog = state.get("metaLog");
        List<Map<String, Val>> images = ControllerStart.images(
                metadata, ControllerNames.BASE + metaLog.size() + 1, append.records(), ControllerCores::image);
        List<Map<String, Val>> batch = new ArrayList<>();
        for (int i = 0; i < append.records().size(); i++) {
            MetadataRecord record = append.records().get(i);
            String type = type(record);
            // As Kafka's, each change of minIsr clears the ELR, though there be none; the specification leaves such a
            // record out.
            if (!type.equals("partition") || !images.get(i + 1).equals(images.get(i))) {
                Map<String, Val> entry = new TreeMap<>(images.get(i + 1));
                entry.put("type", Val.of(type));
                entry.put("broker", about(record));
                entry.put("last", Val.of(false));
                batch.add(entry);
            }
        }
        batch.get(batch.size() - 1).put("last", Val.of(true));
        return batch.stream().map(Val::function).toList();
    }

    private static Map<String, Val> image(MetadataView metadata) {
        Map<String, Val> reg = new TreeMap<>();
        metadata.brokers().forEach((id, broker) -> reg.put("b" + id, PartitionValues.registration(broker)));
        return Map.of(
                "part",
                PartitionValues.part(Objects.requireNonNull(metadata.partition(ControllerNames.PARTITION))),
                "reg",
                Val.function(reg),
                "minIsr",
                Val.of(metadata.effectiveMinIsr(ControllerNames.TOPIC)));
    }

    private static String type(MetadataRecord record) {
        if (record instanceof MetadataRecord.PartitionChange || record instanceof MetadataRecord.ClearElr) {
            return "partition";
        }
        return record instanceof MetadataRecord.Config ? "minIsr" : "broker";
    }

    private static Val about(MetadataRecord record) {
        if (record instanceof MetadataRecord.RegisterBroker registered) {
            return PartitionValues.name(registered.registration().id());
        }
        return record instanceof MetadataRecord.BrokerRegistrationChange changed
                ? PartitionValues.name(changed.brokerId())
                : Val.nil();
    }
}
