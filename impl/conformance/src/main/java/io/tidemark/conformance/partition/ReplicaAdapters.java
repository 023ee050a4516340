package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.partition.FetchAnswer;
import io.tidemark.core.partition.PartitionEffect;
import io.tidemark.core.partition.PartitionInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What else comes to a replica: records of producers, flushes, metadata, readers. */
final class ReplicaAdapters {
    private final Replicas replicas;

    private ReplicaAdapters(Replicas replicas) {
        this.replicas = replicas;
    }

    static List<Adapter> all(Replicas replicas) {
        ReplicaAdapters own = new ReplicaAdapters(replicas);
        return List.of(
                own.new HandleProduce(),
                own.new PersistLog(),
                own.new Apply(SpecAction.ApplyPartitionChange, "partition"),
                own.new Apply(SpecAction.ApplyBrokerChange, "broker"),
                own.new Apply(SpecAction.ApplyMinIsrChange, "minIsr"),
                own.new ConsumerRead());
    }

    private final class HandleProduce extends Adapter {
        HandleProduce() {
            super(SpecAction.HandleProduce);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String leader = instance.arg("l").text();
            int id = instance.arg("id").integer();
            boolean known = knows(state, leader, id);
            if (known
                    ? Replicas.budget(state, "duplicates") == 0
                    : Replicas.budget(state, "records") == 0 || !isNext(state, id)) {
                return null;
            }
            ReplicaTrial trial = replicas.acting(state, leader);
            short acks = switch (instance.arg("acks").text()) {
                case "all" -> -1;
                case "1" -> 1;
                default -> 0;
            };
            return trial == null
                    ? null
                    : trial.input(new PartitionInput.HandleProduce(
                            acks, ReplicaTrial.batch(id), RecordBytes.EMPTY, ReplicaTrial.ASKED));
        }

        private boolean knows(State state, String leader, int id) {
            List<Val> log = state.get("log", leader).list();
            int start = state.get("logStart", leader).integer();
            return log.subList(start, log.size()).stream()
                    .anyMatch(record -> record.at("id").integer() == id);
        }

        /** A record that no producer has sent yet: they are sent in order. */
        private boolean isNext(State state, int id) {
            return id == replicas.settings().records() - Replicas.budget(state, "records") + 1;
        }
    }

    private final class PersistLog extends Adapter {
        PersistLog() {
            super(SpecAction.PersistLog);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String broker = instance.arg("b").text();
            return replicas.settings().persists() && Brokers.alive(state, broker)
                    ? replicas.started(state, broker)
                            .input(new PartitionInput.PersistLog(
                                    state.get("log", broker).size()))
                    : null;
        }
    }

    /** The next committed record of a kind, or one that is applied already. */
    private final class Apply extends Adapter {
        private final String type;

        Apply(SpecAction action, String type) {
            super(action);
            this.type = type;
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String broker = instance.arg("b").text();
            if (!Brokers.alive(state, broker)) {
                return null;
            }
            int applied = state.get("applied", broker).integer();
            int hw = state.get("metaHw").integer();
            if (applied == 0) {
                int last = state.get("brokerEpoch", broker).integer() - 1;
                return type.equals("partition") && last < hw
                        ? replicas.started(state, broker).input(record(state, last))
                        : null;
            }
            Val metaLog = state.get("metaLog");
            boolean next =
                    applied < hw && metaLog.at(applied + 1).at("type").text().equals(type);
            int offset = next ? applied + 1 : applied - 1;
            if (offset < 1 || !metaLog.at(offset).at("type").text().equals(type)) {
                return null;
            }
            return replicas.started(state, broker).input(record(state, offset));
        }

        private PartitionInput record(State state, int offset) {
            Val entry = state.get("metaLog").at(offset);
            if (type.equals("partition")) {
                return new PartitionInput.ApplyPartitionChange(offset, Brokers.registration(state, entry.at("part")));
            }
            if (type.equals("minIsr")) {
                return new PartitionInput.ApplyMinIsrChange(
                        offset, entry.at("minIsr").integer());
            }
            String about = entry.at("broker").text();
            Val reg = entry.at("reg").at(about);
            return new PartitionInput.ApplyBrokerChange(
                    offset,
                    Brokers.id(about),
                    reg.at("epoch").integer(),
                    !reg.at("fenced").bool() && !reg.at("shuttingDown").bool());
        }
    }

    private final class ConsumerRead extends Adapter {
        ConsumerRead() {
            super(SpecAction.ConsumerRead);
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String broker = instance.arg("b").text();
            ReplicaTrial trial = Replicas.budget(state, "reads") > 0 ? replicas.acting(state, broker) : null;
            int start = state.get("logStart", broker).integer();
            return trial == null
                    ? null
                    : trial.input(new PartitionInput.ConsumerRead(-1, start, -1, ReplicaTrial.ASKED))
                            .message("reads", next -> exposed(state, next, broker, start), this::read);
        }

        /** With an earlier reader of the same records nothing is new, but all below the high watermark is read. */
        private Object exposed(State state, State next, String broker, int start) {
            boolean reads = Replicas.budget(next, "reads") < Replicas.budget(state, "reads");
            return reads ? start + " to " + state.get("hw", broker) : "nothing";
        }

        private @Nullable Object read(PartitionEffect effect) {
            if (!(effect instanceof PartitionEffect.ReplyFetch reply)) {
                return null;
            }
            FetchAnswer answer = reply.answer();
            return answer.error() == ErrorCode.NONE && answer.from() < answer.upTo()
                    ? answer.from() + " to " + answer.upTo()
                    : "nothing";
        }
    }
}
