package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Registration of brokers (KIP-631, 966) and controllers (KIP-919). */
final class Registrations {
    static final String METADATA_VERSION = "metadata.version";
    private static final FeatureRange UNSUPPORTED = new FeatureRange((short) 0, (short) 0);
    /** Directory ids below are Kafka's reserved ones (unassigned, lost, migrating). */
    private static final long RESERVED_DIRECTORIES = 100;

    private final ControllerState state;

    Registrations(ControllerState state) {
        this.state = state;
    }

    /**
     * A new incarnation is fenced, with the offset of its registration as its epoch; what the one before it held is taken
     * from it: as by a fencing where its shutdown was clean (the epoch in its clean-shutdown file is the stored one) or ELR is
     * off, else out of ISR and ELR, since its disk may have lost what it acknowledged. The same incarnation amends its
     * registration and keeps its epoch.
     */
    Step<ControllerEffect> handleBrokerRegistration(ControllerInput.HandleBrokerRegistration input) {
        ControllerRequest.RegisterBroker request = input.request();
        int broker = request.brokerId();
        BrokerRegistration existing = state.metadata.broker(broker);
        boolean sameIncarnation = existing != null && existing.incarnation().equals(request.incarnation());
        if (!request.clusterId().equals(state.config.clusterId())) {
            return state.refuse(
                    input.token(),
                    ErrorCode.INCONSISTENT_CLUSTER_ID,
                    "broker " + broker + " is of cluster " + request.clusterId() + ", this is "
                            + state.config.clusterId());
        }
        if (existing != null
                && !sameIncarnation
                && state.sessions.live(broker)
                && state.on(Guard.REGISTRATION_INCARNATION)) {
            return state.refuse(
                    input.token(),
                    ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                    "another process is registered as broker " + broker + " and its session lives");
        }
        String directories = directoryProblem(request);
        if (directories != null) {
            return state.refuse(input.token(), ErrorCode.INVALID_REGISTRATION, directories);
        }
        if (!request.features().containsKey(METADATA_VERSION)) {
            return state.refuse(
                    input.token(),
                    ErrorCode.INVALID_REGISTRATION,
                    "broker " + broker + " does not say which levels of " + METADATA_VERSION + " it supports");
        }
        String features = featureProblem(request);
        if (features != null) {
            return state.refuse(input.token(), ErrorCode.UNSUPPORTED_VERSION, features);
        }
        List<MetadataRecord> records =
                existing == null || sameIncarnation ? new ArrayList<>() : predecessorGone(existing, request);
        long epoch = existing != null && sameIncarnation
                ? existing.epoch()
                : state.offsetOf(records.size(), records.size() + 1);
        records.add(new MetadataRecord.RegisterBroker(new BrokerRegistration(
                broker,
                epoch,
                request.incarnation(),
                request.endpoints(),
                request.features(),
                request.rack(),
                request.directories(),
                existing == null || !sameIncarnation || existing.fenced(),
                existing != null && sameIncarnation && existing.shuttingDown())));
        if (sameIncarnation) {
            state.sessions.touch(broker);
        } else {
            state.sessions.renew(broker);
        }
        return state.decide(
                SpecAction.HandleBrokerRegistration,
                records,
                List.of(new ControllerEffect.SetSession(broker)),
                input.token(),
                new ControllerResponse.RegisteredBroker(epoch));
    }

    private List<MetadataRecord> predecessorGone(
            BrokerRegistration existing, ControllerRequest.RegisterBroker request) {
        boolean clean = existing.epoch() == request.previousBrokerEpoch();
        boolean untrusted = !clean && state.metadata.elrEnabled() && state.on(Guard.REGISTRATION_UNCLEAN);
        int broker = existing.id();
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicPartition id : state.metadata.replicatedBy(broker)) {
            PartitionRegistration partition = state.metadata.partition(id);
            if (partition == null) {
                continue;
            }
            boolean insync = partition.isr().contains(broker);
            MetadataRecord.PartitionChange change = null;
            if (untrusted && (insync || partition.elr().contains(broker))) {
                change = state.change(id).withoutUnclean(broker).build();
            } else if (!untrusted && insync) {
                change = state.change(id).without(broker).build();
            }
            if (change != null) {
                records.add(change);
            }
        }
        return records;
    }

    private @Nullable String directoryProblem(ControllerRequest.RegisterBroker request) {
        List<UUID> directories = request.directories();
        if (directories.isEmpty()) {
            return "broker " + request.brokerId() + " names no log directory";
        }
        TreeSet<UUID> seen = new TreeSet<>();
        for (UUID directory : directories) {
            if (directory.getMostSignificantBits() == 0
                    && directory.getLeastSignificantBits() >= 0
                    && directory.getLeastSignificantBits() < RESERVED_DIRECTORIES) {
                return "log directory id " + directory + " is reserved";
            }
            if (!seen.add(directory)) {
                return "log directory id " + directory + " is named twice";
            }
            for (BrokerRegistration other : state.metadata.brokers().values()) {
                if (other.id() != request.brokerId() && other.directories().contains(directory)) {
                    return "log directory id " + directory + " is registered by broker " + other.id();
                }
            }
        }
        return null;
    }

    /** Every finalized feature level must be one that the broker supports. */
    private @Nullable String featureProblem(ControllerRequest.RegisterBroker request) {
        TreeSet<String> names = new TreeSet<>(state.metadata.features().keySet());
        names.addAll(request.features().keySet());
        for (String name : names) {
            FeatureRange range = request.features().getOrDefault(name, UNSUPPORTED);
            short level = state.metadata.features().getOrDefault(name, (short) 0);
            boolean off = level == 0 && !name.equals(METADATA_VERSION);
            if (!off && (level < range.min() || level > range.max())) {
                return "broker " + request.brokerId() + " supports " + name + " from " + range.min() + " to "
                        + range.max() + ", but the cluster's level is " + level;
            }
        }
        return null;
    }

    Step<ControllerEffect> handleControllerRegistration(ControllerInput.HandleControllerRegistration input) {
        ControllerRequest.RegisterController request = input.request();
        MetadataRecord record = new MetadataRecord.RegisterController(
                request.controllerId(), request.incarnation(), false, request.endpoints(), request.features());
        return state.decide(null, List.of(record), input.token(), new ControllerResponse.RegisteredController());
    }

    /**
     * The first records of a new cluster: its feature levels and, with ELR, the cluster's {@code min.insync.replicas}, which
     * from then on every node takes from the log.
     */
    List<MetadataRecord> bootstrap() {
        List<MetadataRecord> records = new ArrayList<>();
        for (Map.Entry<String, Short> feature : state.config.bootstrapFeatures().entrySet()) {
            if (feature.getValue() > 0 && !feature.getKey().equals(FeatureChanges.KRAFT_VERSION)) {
                records.add(new MetadataRecord.FeatureLevel(feature.getKey(), feature.getValue()));
            }
        }
        if (state.config.bootstrapFeatures().getOrDefault(MetadataState.ELR_FEATURE, (short) 0) > 0) {
            records.addAll(FeatureChanges.minIsrForElr(state.metadata));
        }
        return records;
    }
}
