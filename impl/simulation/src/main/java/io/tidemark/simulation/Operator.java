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
import java.util.List;
import java.util.SortedMap;
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
    private final RandomGenerator random;
    private final TreeMap<String, Integer> tookEffect = new TreeMap<>();
    private int minIsr;

    Operator(World world, Shape shape, SimClients clients) {
        this.world = world;
        this.shape = shape;
        this.clients = clients;
        this.random = world.random("operator");
        this.minIsr = shape.minIsr;
    }

    SortedMap<String, Integer> tookEffect() {
        return tookEffect;
    }

    /** Does something. */
    void act() {
        switch (random.nextInt(9)) {
            case 0, 1 -> createSide();
            case 2 -> deleteSide();
            case 3, 4 -> changeMinIsr();
            case 5 -> config(SimClients.TOPIC, "max.message.bytes", Integer.toString(random.nextInt(1_000, 100_000)));
            case 6 -> elect(false);
            case 7 -> elect(true);
            default -> enableUnclean();
        }
    }

    private void happened(String event) {
        tookEffect.merge(event, 1, Integer::sum);
        world.trace(event);
        world.tell("OPERATOR " + event);
    }

    private void createSide() {
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

    private void changeMinIsr() {
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
    private void enableUnclean() {
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

    /** Of every partition; an election took place where one was needed and somebody could be elected. */
    void elect(boolean unclean) {
        clients.administer(new ControllerRequest.ElectLeaders(unclean, null), response -> elected(unclean, response));
    }

    private void elected(boolean unclean, @Nullable ControllerResponse response) {
        if (response instanceof ControllerResponse.ElectedLeaders elected
                && elected.results().stream().anyMatch(each -> each.error() == ErrorCode.NONE)) {
            happened(unclean ? "elected-unclean" : "elected-preferred");
        }
    }
}
