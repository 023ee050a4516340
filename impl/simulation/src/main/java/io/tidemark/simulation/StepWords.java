package io.tidemark.simulation;

import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.partition.IsrState;
import io.tidemark.core.partition.PartitionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a core knows and what records say, in a few words for {@link StepLog}: no more than a reader of a run needs. */
final class StepWords {
    private StepWords() {}

    /** A replica: who leads in which epochs, the ISR, what the leader has asked for, and how far it is. */
    static String replica(PartitionView view) {
        PartitionRegistration part = view.part();
        List<String> words = new ArrayList<>();
        if (part != null) {
            words.add(registration(part));
        }
        String known = isr(view.isrState(), part == null ? List.of() : part.isr());
        if (!known.isEmpty()) {
            words.add(known);
        }
        words.add("hw " + view.hw() + " of " + view.logEnd());
        return String.join(", ", words);
    }

    private static String registration(PartitionRegistration part) {
        return leader(part.leader()) + " in epoch " + part.leaderEpoch() + "/" + part.partitionEpoch() + ", ISR "
                + part.isr() + (part.elr().isEmpty() ? "" : ", ELR " + part.elr());
    }

    private static String leader(int leader) {
        return leader < 0 ? "no leader" : "leader " + leader;
    }

    /** What a leader knows of the ISR beyond {@code registered}; empty where that is all, and for a follower. */
    static String isr(@Nullable IsrState state, List<Integer> registered) {
        if (state instanceof IsrState.PendingExpand pending) {
            return "asks to take " + pending.follower() + " into ISR " + pending.isr();
        }
        if (state instanceof IsrState.PendingShrink pending) {
            return "asks to drop " + pending.leaving() + " from ISR " + pending.isr();
        }
        return state == null || state.isr().equals(registered) ? "" : "knows ISR " + state.isr();
    }

    /** Records of the metadata log, in their order. */
    static String records(List<MetadataRecord> records) {
        return records.stream().map(StepWords::record).collect(Collectors.joining("; "));
    }

    private static String record(MetadataRecord record) {
        if (record instanceof MetadataRecord.RegisterBroker register) {
            BrokerRegistration broker = register.registration();
            return "broker " + broker.id() + " registered, epoch " + broker.epoch()
                    + (broker.fenced() ? ", fenced" : "");
        } else if (record instanceof MetadataRecord.UnregisterBroker gone) {
            return "broker " + gone.brokerId() + " unregistered";
        } else if (record instanceof MetadataRecord.BrokerRegistrationChange change) {
            return "broker " + change.brokerId() + " " + brokerChange(change);
        } else if (record instanceof MetadataRecord.Topic topic) {
            return "topic " + topic.name();
        } else if (record instanceof MetadataRecord.RemoveTopic) {
            return "topic removed";
        } else if (record instanceof MetadataRecord.Partition partition) {
            return "p" + partition.partition() + " " + registration(partition.registration());
        } else if (record instanceof MetadataRecord.PartitionChange change) {
            return "p" + change.partition() + " " + partitionChange(change);
        } else if (record instanceof MetadataRecord.ClearElr clear) {
            return "ELR cleared of " + (clear.topicName().isEmpty() ? "all topics" : clear.topicName());
        } else if (record instanceof MetadataRecord.Config config) {
            return config.key() + "=" + config.value() + " of "
                    + (config.resourceName().isEmpty() ? "the cluster" : config.resourceName());
        } else if (record instanceof MetadataRecord.FeatureLevel feature) {
            return feature.name() + " " + feature.level();
        }
        return record.getClass().getSimpleName();
    }

    private static String brokerChange(MetadataRecord.BrokerRegistrationChange change) {
        List<String> words = new ArrayList<>();
        if (change.fenced() != null) {
            words.add(change.fenced() ? "fenced" : "unfenced");
        }
        if (change.inControlledShutdown() != null) {
            words.add(change.inControlledShutdown() ? "is shutting down" : "is not shutting down");
        }
        return words.isEmpty() ? "unchanged" : String.join(", ", words);
    }

    private static String partitionChange(MetadataRecord.PartitionChange change) {
        List<String> words = new ArrayList<>();
        if (change.leader() != null) {
            words.add(leader(change.leader()));
        }
        add(words, "ISR", change.isr());
        add(words, "ELR", change.elr());
        add(words, "last known ELR", change.lastKnownElr());
        add(words, "replicas", change.replicas());
        add(words, "removing", change.removingReplicas());
        add(words, "adding", change.addingReplicas());
        if (change.recovery() != null) {
            words.add(change.recovery().name().toLowerCase(Locale.ROOT));
        }
        return words.isEmpty() ? "unchanged" : String.join(", ", words);
    }

    private static void add(List<String> words, String name, @Nullable List<Integer> brokers) {
        if (brokers != null) {
            words.add(name + " " + brokers);
        }
    }
}
