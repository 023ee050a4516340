package io.tidemark.runtime.trace;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Requires;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerEffect;
import io.tidemark.core.controller.ControllerInput;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerView;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import io.tidemark.core.metadata.TopicState;
import io.tidemark.core.partition.AlterPartitionAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The active controller of one node: its variables, and what its inputs say. */
final class ControllerTrace {
    private final Known known = new Known();
    private final Map<Object, Object> told = new LinkedHashMap<>();
    private int epoch = -1;

    /** What the step changed; everything at the first call in an epoch. */
    Map<String, @Nullable Object> changes(ControllerView view, Step<ControllerEffect> step) {
        if (view.epoch() != epoch) {
            epoch = view.epoch();
            told.clear();
        }
        Map<String, @Nullable Object> now = new LinkedHashMap<>();
        now.put("controllerEpoch", view.epoch());
        now.put("metaHw", view.metaHw());
        Map<String, @Nullable Object> changed = known.changes(now);
        List<Object> appended = new ArrayList<>();
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Append append) {
                long offset = append.baseOffset();
                for (MetadataRecord record : append.records()) {
                    appended.add(record(view, offset++, record));
                }
            }
        }
        if (!appended.isEmpty() || told.isEmpty()) {
            changed.put("metaLog", PartitionTrace.object("appended", appended));
            metadata(view, changed);
        }
        return changed;
    }

    private void metadata(ControllerView view, Map<String, @Nullable Object> changed) {
        Map<String, Object> part = new TreeMap<>();
        Map<String, Object> minIsr = new TreeMap<>();
        Map<String, Object> unclean = new TreeMap<>();
        view.metadata()
                .topics()
                .forEach((name, topic) -> topic.partitions().forEach((partition, registration) -> {
                    String id = id(new TopicPartition(topic.id(), partition));
                    changed(List.of("part", id), part(registration), id, part);
                    changed(List.of("minIsr", id), view.minIsr(name), id, minIsr);
                    changed(List.of("unclean", id), view.metadata().uncleanElection(name), id, unclean);
                }));
        Map<String, Object> reg = new TreeMap<>();
        view.reg()
                .forEach((id, broker) -> changed(
                        List.of("reg", id),
                        PartitionTrace.object(
                                "epoch", broker.epoch(),
                                "incarnation", broker.incarnation(),
                                "fenced", broker.fenced(),
                                "shuttingDown", broker.shuttingDown()),
                        id.toString(),
                        reg));
        Boolean elr = view.metadata().elrEnabled();
        if (!elr.equals(told.put("elrEnabled", elr))) {
            changed.put("elrEnabled", elr);
        }
        changed.put("part", part);
        changed.put("minIsr", minIsr);
        changed.put("uncleanElection", unclean);
        changed.put("reg", reg);
    }

    private void changed(Object key, Object value, String name, Map<String, Object> to) {
        if (!value.equals(told.put(key, value))) {
            to.put(name, value);
        }
    }

    static String id(TopicPartition partition) {
        return partition.topicId() + "-" + partition.partition();
    }

    private static Map<String, @Nullable Object> part(PartitionRegistration part) {
        return PartitionTrace.object(
                "replicas", part.replicas(),
                "leader", part.leader(),
                "leaderEpoch", part.leaderEpoch(),
                "partitionEpoch", part.partitionEpoch(),
                "isr", part.isr(),
                "elr", part.elr(),
                "lastKnownElr", part.lastKnownElr(),
                "recovery", part.recovery());
    }

    /** A record by its kind and whom it is about. */
    private static Map<String, @Nullable Object> record(ControllerView view, long offset, MetadataRecord record) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("offset", offset);
        told.put("type", record.getClass().getSimpleName());
        if (record instanceof MetadataRecord.PartitionChange r) {
            told.put("partition", id(new TopicPartition(r.topicId(), r.partition())));
        } else if (record instanceof MetadataRecord.Partition r) {
            told.put("partition", id(new TopicPartition(r.topicId(), r.partition())));
        } else if (record instanceof MetadataRecord.RemoveTopic r) {
            told.put("topic", r.topicId());
        } else if (record instanceof MetadataRecord.ClearElr r) {
            TopicState topic = view.metadata().topics().get(r.topicName());
            told.put("topic", topic == null ? "" : topic.id());
        } else if (record instanceof MetadataRecord.RegisterBroker r) {
            told.put("broker", r.registration().id());
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange r) {
            told.put("broker", r.brokerId());
        } else if (record instanceof MetadataRecord.UnregisterBroker r) {
            told.put("broker", r.brokerId());
        }
        return told;
    }

    /** What the input says, and of a refusal or an ISR change what is answered. */
    static Map<String, @Nullable Object> args(ControllerView view, ControllerInput input, Step<ControllerEffect> step) {
        Map<String, @Nullable Object> args = new LinkedHashMap<>();
        if (input instanceof ControllerInput.HandleBrokerRegistration in) {
            args.put("broker", in.request().brokerId());
            args.put("incarnation", in.request().incarnation());
            args.put("previousBrokerEpoch", in.request().previousBrokerEpoch());
        } else if (input instanceof ControllerInput.HandleBrokerHeartbeat in) {
            args.put("broker", in.request().brokerId());
            args.put("brokerEpoch", in.request().brokerEpoch());
            args.put("wantFence", in.request().wantFence());
            args.put("wantShutDown", in.request().wantShutDown());
            args.put("metadataOffset", in.request().currentMetadataOffset());
        } else if (input instanceof ControllerInput.BrokerSessionTimeout in) {
            args.put("broker", in.brokerId());
        } else if (input instanceof ControllerInput.HandleElectLeaders in) {
            args.put("mode", in.request().unclean() ? "UNCLEAN" : "PREFERRED");
            args.put("all", in.request().partitions() == null);
        } else if (input instanceof ControllerInput.HandleAlterPartition in) {
            args.put("broker", in.request().brokerId());
            args.put("brokerEpoch", in.request().brokerEpoch());
            args.put("partitions", items(in.request(), response(step)));
        } else if (input instanceof ControllerInput.CommitMetadata in) {
            args.put("hw", in.hw());
        } else if (input instanceof ControllerInput.Activate in) {
            args.put("epoch", in.epoch());
            args.put("nextOffset", in.nextOffset());
        }
        ControllerEffect.Reply reply = reply(step);
        if (reply != null) {
            Map<String, @Nullable Object> answer = answer(view, reply.response());
            if (answer != null) {
                args.put("answer", answer);
            }
            args.put("requires", reply.requires() instanceof Requires.Committed mark ? mark.endOffset() : null);
        }
        return args;
    }

    /** Whether the step is told even where nothing was decided: who asked is answered by it. */
    static boolean answers(ControllerInput input) {
        return input instanceof ControllerInput.HandleBrokerRegistration
                || input instanceof ControllerInput.HandleBrokerHeartbeat
                || input instanceof ControllerInput.HandleAlterPartition
                || input instanceof ControllerInput.HandleElectLeaders;
    }

    private static ControllerEffect.@Nullable Reply reply(Step<ControllerEffect> step) {
        for (ControllerEffect effect : step.effects()) {
            if (effect instanceof ControllerEffect.Reply reply) {
                return reply;
            }
        }
        return null;
    }

    private static @Nullable ControllerResponse response(Step<ControllerEffect> step) {
        ControllerEffect.Reply reply = reply(step);
        return reply == null ? null : reply.response();
    }

    /** What the specification has of an answer; null where it has nothing. Changes of ISRs are told with what was asked. */
    private static @Nullable Map<String, @Nullable Object> answer(ControllerView view, ControllerResponse response) {
        if (response instanceof ControllerResponse.Refused refused) {
            return PartitionTrace.object("error", refused.error());
        } else if (response instanceof ControllerResponse.RegisteredBroker registered) {
            return PartitionTrace.object("error", ErrorCode.NONE, "brokerEpoch", registered.brokerEpoch());
        } else if (response instanceof ControllerResponse.Heartbeat heartbeat) {
            return PartitionTrace.object(
                    "error", ErrorCode.NONE,
                    "caughtUp", heartbeat.caughtUp(),
                    "fenced", heartbeat.fenced(),
                    "shouldShutDown", heartbeat.shouldShutDown());
        } else if (response instanceof ControllerResponse.ElectedLeaders elected) {
            Map<String, Object> errors = new TreeMap<>();
            for (ControllerResponse.ElectedLeaders.ElectionResult result : elected.results()) {
                TopicState topic = view.metadata().topics().get(result.topic());
                if (topic != null) {
                    errors.put(id(new TopicPartition(topic.id(), result.partition())), result.error());
                }
            }
            return PartitionTrace.object("error", ErrorCode.NONE, "elected", errors);
        }
        return null;
    }

    private static List<Object> items(ControllerRequest.AlterPartition request, @Nullable ControllerResponse response) {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < request.partitions().size(); i++) {
            ControllerRequest.AlterPartition.PartitionItem item =
                    request.partitions().get(i);
            Map<String, @Nullable Object> told = new LinkedHashMap<>();
            told.put("partition", id(new TopicPartition(item.topicId(), item.partition())));
            told.put("asked", PartitionTrace.asked(item.asked()));
            if (response instanceof ControllerResponse.AlteredPartitions altered) {
                AlterPartitionAnswer answer = altered.partitions().get(i).answer();
                told.put("error", answer.error());
                told.put("leaderEpoch", answer.leaderEpoch());
                told.put("partitionEpoch", answer.partitionEpoch());
                told.put("isr", answer.isr());
            } else if (response instanceof ControllerResponse.Refused refused) {
                told.put("error", refused.error());
            }
            items.add(told);
        }
        return items;
    }
}
