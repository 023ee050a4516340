package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A controller as brokers see it: every decision is committed at once and appended to a metadata log that each broker
 * applies in its own time. One partition on brokers 1 to 3, ELR off, no unclean election.
 */
final class ModelController {
    final List<PartitionInput> metadata = new ArrayList<>();
    final SortedMap<Integer, KnownBroker> reg = new TreeMap<>();
    final int minIsr;
    PartitionRegistration part = Fixture.registration(1, 0, 0, 1, 2, 3);

    ModelController(int minIsr) {
        this.minIsr = minIsr;
        for (int broker = 1; broker <= 3; broker++) {
            setBroker(broker, metadata.size(), true);
        }
        metadata.add(new PartitionInput.ApplyMinIsrChange(metadata.size(), minIsr));
        metadata.add(new PartitionInput.ApplyPartitionChange(metadata.size(), part));
    }

    /** What a broker that starts now is told. */
    List<PartitionInput> image() {
        long offset = metadata.size() - 1;
        List<PartitionInput> image = new ArrayList<>();
        reg.forEach((id, broker) ->
                image.add(new PartitionInput.ApplyBrokerChange(offset, id, broker.epoch(), broker.active())));
        image.add(new PartitionInput.ApplyMinIsrChange(offset, minIsr));
        image.add(new PartitionInput.ApplyPartitionChange(offset, part));
        return image;
    }

    private void setBroker(int id, long epoch, boolean active) {
        reg.put(id, new KnownBroker(epoch, active));
        metadata.add(new PartitionInput.ApplyBrokerChange(metadata.size(), id, epoch, active));
    }

    private void setPart(List<Integer> isr, int leader) {
        int leaderEpoch = leader == part.leader() ? part.leaderEpoch() : part.leaderEpoch() + 1;
        setPart(isr, leader, leaderEpoch);
    }

    private void setPart(List<Integer> isr, int leader, int leaderEpoch) {
        part = Fixture.registration(leader, leaderEpoch, part.partitionEpoch() + 1, isr.toArray(Integer[]::new));
        metadata.add(new PartitionInput.ApplyPartitionChange(metadata.size(), part));
    }

    boolean onlyIsrMember(int id) {
        return part.isr().equals(List.of(id));
    }

    void fence(int id) {
        setBroker(id, reg.get(id).epoch(), false);
        dropAndElect(id);
    }

    /** A new incarnation, fenced; what the one before held counts no more, if anyone else is in the ISR. */
    long register(int id) {
        long epoch = metadata.size();
        setBroker(id, epoch, false);
        dropAndElect(id);
        return epoch;
    }

    private void dropAndElect(int id) {
        List<Integer> isr = new ArrayList<>(part.isr());
        if (!onlyIsrMember(id)) {
            isr.remove((Integer) id);
        }
        int leader = elect(isr);
        if (leader != part.leader() || !isr.equals(part.isr())) {
            setPart(isr, leader);
        }
    }

    void unfence(int id) {
        if (!reg.get(id).active()) {
            setBroker(id, reg.get(id).epoch(), true);
            if (!part.hasLeader() && elect(part.isr()) >= 0) {
                setPart(part.isr(), elect(part.isr()));
            }
        }
    }

    private int elect(List<Integer> isr) {
        if (isr.contains(part.leader()) && reg.get(part.leader()).active()) {
            return part.leader();
        }
        return isr.stream().filter(id -> reg.get(id).active()).findFirst().orElse(PartitionRegistration.NO_LEADER);
    }

    /** A planned move, or a new epoch for the same leader. */
    void moveLeader(int to) {
        if (part.isr().contains(to) && reg.get(to).active()) {
            setPart(part.isr(), to, part.leaderEpoch() + 1);
        }
    }

    AlterPartitionAnswer handleAlterPartition(int sender, long brokerEpoch, AlterPartitionAsked asked) {
        ErrorCode error = ErrorCode.NONE;
        List<Integer> isr = new ArrayList<>();
        if (reg.get(sender).epoch() != brokerEpoch) {
            error = ErrorCode.STALE_BROKER_EPOCH;
        } else if (part.leader() != sender || asked.leaderEpoch() != part.leaderEpoch()) {
            error = ErrorCode.FENCED_LEADER_EPOCH;
        } else if (asked.partitionEpoch() != part.partitionEpoch()) {
            error = ErrorCode.INVALID_UPDATE_VERSION;
        }
        for (AlterPartitionAsked.Member member : asked.newIsr()) {
            KnownBroker broker = reg.get(member.brokerId());
            boolean same = member.brokerEpoch() == -1 || member.brokerEpoch() == broker.epoch();
            if (error == ErrorCode.NONE && (!broker.active() || !same)) {
                error = ErrorCode.INELIGIBLE_REPLICA;
            }
            isr.add(member.brokerId());
        }
        if (error != ErrorCode.NONE) {
            return AlterPartitionAnswer.failed(error);
        }
        setPart(isr, part.leader());
        return new AlterPartitionAnswer(
                ErrorCode.NONE,
                part.leader(),
                part.leaderEpoch(),
                part.partitionEpoch(),
                part.isr(),
                LeaderRecovery.RECOVERED);
    }
}
