package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.Guards;
import io.tidemark.core.controller.ControllerConfig;
import io.tidemark.core.controller.ControllerCore;
import io.tidemark.core.controller.ControllerInState;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.TopicConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Starts the active controller in a state of the specification. */
final class ControllerStart {
    private ControllerStart() {}

    /**
     * @param elr whether eligible leader replicas are enabled
     * @param unclean whether unclean elections are
     */
    static ControllerCore of(State state, boolean elr, boolean unclean, Guards guards) {
        Val metaLog = state.get("metaLog");
        Val image = metaLog.at(metaLog.size());
        return ControllerInState.of(
                new ControllerConfig(
                        100,
                        ControllerNames.CLUSTER,
                        1,
                        3,
                        new TreeMap<>(),
                        ControllerNames.FEATURES,
                        new TreeSet<>(),
                        guards),
                metadata(state, elr, unclean),
                ControllerNames.BASE + metaLog.size() + 1,
                ControllerNames.BASE + state.get("metaHw").integer() + 1,
                sessions(state, image));
    }

    /** All of the metadata log folded. */
    static MetadataState metadata(State state, boolean elr, boolean unclean) {
        Val metaLog = state.get("metaLog");
        Val image = metaLog.at(metaLog.size());
        MetadataState metadata = new MetadataState(100, new TreeMap<>());
        List<MetadataRecord> before = new ArrayList<>();
        before.add(new MetadataRecord.FeatureLevel("metadata.version", (short) 27));
        if (elr) {
            before.add(new MetadataRecord.FeatureLevel(MetadataState.ELR_FEATURE, (short) 1));
        }
        before.add(new MetadataRecord.Topic(ControllerNames.TOPIC, ControllerNames.PARTITION.topicId()));
        before.add(new MetadataRecord.Partition(
                ControllerNames.PARTITION.topicId(), 0, Brokers.registration(state, image.at("part"))));
        before.add(config(TopicConfigs.MIN_INSYNC_REPLICAS, image.at("minIsr").text()));
        before.add(config("unclean.leader.election.enable", String.valueOf(unclean)));
        for (int i = 0; i < before.size(); i++) {
            metadata.apply(i, before.get(i));
        }
        register(state, metadata, image.at("reg"));
        return metadata;
    }

    /** What is shown of the metadata before the first of the records, and after each. */
    static <T> List<T> images(
            MetadataState metadata, long offset, List<MetadataRecord> records, Function<MetadataView, T> shown) {
        List<T> images = new ArrayList<>();
        images.add(shown.apply(metadata));
        for (MetadataRecord record : records) {
            metadata.apply(offset + images.size() - 1, record);
            images.add(shown.apply(metadata));
        }
        return images;
    }

    private static MetadataRecord config(String key, String value) {
        return new MetadataRecord.Config(MetadataRecord.Config.TOPIC, ControllerNames.TOPIC, key, value);
    }

    /** In the order of their epochs; those of the beginning share one, and take the offsets up to it. */
    private static void register(State state, MetadataState metadata, Val reg) {
        List<String> brokers = new ArrayList<>(Brokers.all(state));
        brokers.sort((a, b) -> Integer.compare(
                reg.at(a).at("epoch").integer(), reg.at(b).at("epoch").integer()));
        List<Long> offsets = new ArrayList<>();
        long next = Long.MAX_VALUE;
        for (int i = brokers.size() - 1; i >= 0; i--) {
            next = Math.min(
                    next - 1,
                    ControllerNames.BASE + reg.at(brokers.get(i)).at("epoch").integer());
            offsets.add(0, next);
        }
        for (int i = 0; i < brokers.size(); i++) {
            Val r = reg.at(brokers.get(i));
            int id = Brokers.id(brokers.get(i));
            metadata.apply(
                    offsets.get(i),
                    new MetadataRecord.RegisterBroker(new BrokerRegistration(
                            id,
                            ControllerNames.BASE + r.at("epoch").integer(),
                            ControllerNames.incarnation(id, r.at("incarnation").integer()),
                            ControllerNames.endpoints(id),
                            ControllerNames.FEATURES,
                            null,
                            List.of(ControllerNames.directory(id)),
                            r.at("fenced").bool(),
                            r.at("shuttingDown").bool())));
        }
    }

    /** In the specification the session of a broker that is unfenced lives, that of another is over. */
    private static SortedMap<Integer, ControllerInState.Session> sessions(State state, Val image) {
        SortedMap<Integer, ControllerInState.Session> sessions = new TreeMap<>();
        for (String broker : Brokers.all(state)) {
            Val r = image.at("reg").at(broker);
            if (!r.at("fenced").bool()) {
                sessions.put(
                        Brokers.id(broker),
                        new ControllerInState.Session(
                                ControllerNames.offset(
                                        state.get("applied", broker).integer()),
                                r.at("shuttingDown").bool() ? shutdownOffset(state, broker) : -1));
            }
        }
        return sessions;
    }

    /** The last record of the decision that began the shutdown. */
    private static long shutdownOffset(State state, String broker) {
        Val metaLog = state.get("metaLog");
        int at = metaLog.size();
        while (at > 1
                && metaLog.at(at - 1).at("reg").at(broker).at("shuttingDown").bool()) {
            at--;
        }
        while (!metaLog.at(at).at("last").bool()) {
            at++;
        }
        return ControllerNames.BASE + at;
    }
}
