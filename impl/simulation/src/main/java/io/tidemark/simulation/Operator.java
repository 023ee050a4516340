package io.tidemark.simulation;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerRequest.ConfigOp.Op;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.metadata.TopicPartition;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to a cluster while it runs. An event counts once the controller says that it did it: what was
 * refused, or not answered, has perhaps not happened.
 */
final class Operator {
    /** A topic of one partition that comes and goes. */
    static final String SIDE = "side";

    private final World world;
    private final Shape shape;
    private final SimClients clients;
    private final Effects effects;
    private int minIsr;

    Operator(World world, Shape shape, SimClients clients, Effects effects) {
        this.world = world;
        this.effects = effects;
        this.shape = shape;
        this.clients = clients;
        this.minIsr = shape.minIsr;
    }

    /** Does something of that kind. */
    void act(Chore chore, RandomGenerator random) {
        switch (chore) {
            case CREATE_TOPIC -> createSide(random);
            case DELETE_TOPIC -> deleteSide();
            case CHANGE_MIN_ISR -> changeMinIsr(random);
            case CHANGE_CONFIG ->
                config(SimClients.TOPIC, "max.message.bytes", Integer.toString(random.nextInt(1_000, 100_000)));
            case ENABLE_UNCLEAN -> enableUnclean(random);
        }
    }

    private void happened(String event) {
        effects.event(event);
        world.tell(() -> "OPERATOR " + event);
    }

    private void createSide(RandomGenerator random) {
        clients.administer(
                new ControllerRequest.CreateTopics(
                        List.of(new ControllerRequest.NewTopic(
                                SIDE, 1, (short) shape.replicationFactor, null, new TreeMap<>())),
                        false,
                        List.of(PartitionRef.NO_ID),
                        random.nextInt(shape.nodes())),
                response -> {
                    if (response instanceof ControllerResponse.CreatedTopics created
                            && created.topics().get(0).error() == ErrorCode.NONE) {
                        happened("topic-created");
                        clients.write(new TopicPartition(created.topics().get(0).topicId(), 0));
                    }
                });
    }

    private void deleteSide() {
        clients.administer(
                new ControllerRequest.DeleteTopics(
                        List.of(new ControllerRequest.DeleteTopics.TopicSelector(SIDE, null))),
                response -> {
                    if (response instanceof ControllerResponse.DeletedTopics deleted
                            && deleted.topics().get(0).error() == ErrorCode.NONE) {
                        happened("topic-deleted");
                        clients.stopWriting(
                                new TopicPartition(deleted.topics().get(0).topicId(), 0));
                    }
                });
    }

    private void changeMinIsr(RandomGenerator random) {
        int before = minIsr;
        int after = random.nextInt(1, shape.replicationFactor + 1);
        boolean cluster = random.nextInt(4) == 0;
        alter(
                cluster ? MetadataRecord.Config.BROKER : MetadataRecord.Config.TOPIC,
                cluster ? "" : SimClients.TOPIC,
                new ConfigOp(TopicConfigs.MIN_INSYNC_REPLICAS, Op.SET, Integer.toString(after)),
                () -> {
                    if (!cluster && after != before) {
                        minIsr = after;
                        happened(after > before ? "min-isr-raised" : "min-isr-lowered");
                    }
                });
    }

    /** For a while, so that the timer elects uncleanly, too. */
    private void enableUnclean(RandomGenerator random) {
        ConfigOp on = new ConfigOp(TopicConfigs.UNCLEAN_LEADER_ELECTION, Op.SET, "true");
        ConfigOp off = new ConfigOp(TopicConfigs.UNCLEAN_LEADER_ELECTION, Op.DELETE, null);
        alter(MetadataRecord.Config.TOPIC, SimClients.TOPIC, on, () -> {
            happened("unclean-enabled");
            world.after(
                    random.nextLong(500_000, 4_000_000),
                    () -> alter(MetadataRecord.Config.TOPIC, SimClients.TOPIC, off, () -> {}));
        });
    }

    private void config(String topic, String key, String value) {
        alter(MetadataRecord.Config.TOPIC, topic, new ConfigOp(key, Op.SET, value), () -> happened("config-changed"));
    }

    private void alter(byte type, String name, ConfigOp op, Runnable done) {
        clients.administer(
                new ControllerRequest.AlterConfigs(
                        List.of(new ControllerRequest.ConfigChange(type, name, List.of(op))), false),
                response -> {
                    if (response instanceof ControllerResponse.AlteredConfigs altered
                            && altered.results().get(0).error() == ErrorCode.NONE) {
                        done.run();
                    }
                });
    }

    /**
     * Asks for an election of every partition; one took place where one was needed and somebody could be elected.
     *
     * @param fault which it is part of; null where it is part of none
     */
    void elect(boolean unclean, Effects.@Nullable Injection fault) {
        elect(new ControllerRequest.ElectLeaders(unclean, null), fault);
    }

    /** Asks for an unclean election of these partitions alone: another one's eligible replicas may yet come back. */
    void electUncleanly(Collection<ControllerRequest.TopicAndPartition> partitions) {
        elect(new ControllerRequest.ElectLeaders(true, List.copyOf(partitions)), null);
    }

    private void elect(ControllerRequest.ElectLeaders request, Effects.@Nullable Injection fault) {
        clients.administer(request, response -> {
            if (response instanceof ControllerResponse.ElectedLeaders elected
                    && elected.results().stream().anyMatch(each -> each.error() == ErrorCode.NONE)) {
                Effects.took(fault);
                happened(request.unclean() ? "elected-unclean" : "elected-preferred");
            }
        });
    }
}
