package io.tidemark.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.controller.ElectionRule.Mode;
import io.tidemark.core.controller.ElectionRule.Result;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ElectionRuleTest {
    private static final List<Integer> REPLICAS = List.of(3, 1, 2);

    @Test
    void aValidLeaderStays() {
        assertThat(online(partition(1, List.of(1, 2, 3), List.of(), List.of()), 1, 2, 3))
                .isEqualTo(new Result(1, false));
    }

    @Test
    void theFirstActiveIsrMemberInAssignmentOrder() {
        assertThat(online(partition(-1, List.of(1, 2, 3), List.of(), List.of()), 2, 1))
                .isEqualTo(new Result(1, false));
    }

    @Test
    void anEligibleReplicaOnlyWhereTheIsrIsEmpty() {
        assertThat(online(partition(-1, List.of(), List.of(1, 2), List.of()), 2))
                .isEqualTo(new Result(2, false));
        PartitionRegistration notEmpty = partition(-1, List.of(3), List.of(1, 2), List.of());
        assertThat(online(notEmpty, 2)).isEqualTo(new Result(-1, false));
        assertThat(elect(Mode.ONLINE, notEmpty, true, Guards.without(Guard.ELECT_ELR_WHEN_ISR_EMPTY), 2))
                .isEqualTo(new Result(2, false));
    }

    @Test
    void theSingleLastKnownLeaderWhereBothAreEmpty() {
        assertThat(online(partition(-1, List.of(), List.of(), List.of(2)), 1, 2))
                .isEqualTo(new Result(2, true));
        assertThat(online(partition(-1, List.of(), List.of(), List.of(2)), 1)).isEqualTo(new Result(-1, false));
        assertThat(online(partition(-1, List.of(), List.of(), List.of(2, 1)), 1, 2))
                .isEqualTo(new Result(-1, false));
        assertThat(elect(Mode.ONLINE, partition(-1, List.of(), List.of(), List.of(2)), false, Guards.ALL, 1, 2))
                .isEqualTo(new Result(-1, false));
    }

    @Test
    void thePreferredReplicaTakesOverFromAValidLeader() {
        PartitionRegistration partition = partition(1, List.of(3, 1), List.of(), List.of());
        assertThat(elect(Mode.PREFERRED, partition, true, Guards.ALL, 1, 3)).isEqualTo(new Result(3, false));
        assertThat(elect(Mode.PREFERRED, partition, true, Guards.ALL, 1)).isEqualTo(new Result(1, false));
    }

    @Test
    void anyActiveReplicaWhereUncleanElectionIsAskedFor() {
        PartitionRegistration partition = partition(-1, List.of(3), List.of(), List.of());
        assertThat(elect(Mode.UNCLEAN, partition, true, Guards.ALL, 1, 2)).isEqualTo(new Result(1, true));
        assertThat(elect(Mode.UNCLEAN, partition, true, Guards.ALL)).isEqualTo(new Result(-1, false));
    }

    @Test
    void mutantsElectWhomTheyMustNot() {
        PartitionRegistration partition = partition(-1, List.of(3), List.of(), List.of());
        assertThat(elect(Mode.ONLINE, partition, true, Guards.without(Guard.ELECT_ISR_ONLY), 1))
                .isEqualTo(new Result(1, false));
        assertThat(elect(Mode.ONLINE, partition, true, Guards.without(Guard.ELECT_ACTIVE), 1))
                .isEqualTo(new Result(3, false));
    }

    @Property(tries = 5_000)
    void agreesWithTheOracle(
            @ForAll("partitions") PartitionRegistration partition,
            @ForAll("brokers") Set<Integer> active,
            @ForAll Mode mode,
            @ForAll boolean elr) {
        Result result = ElectionRule.elect(mode, partition, elr, active::contains, Guards.ALL);

        assertThat(result).isEqualTo(oracle(mode, partition, active, elr));
        assertThat(result.leader() == -1 || active.contains(result.leader())).isTrue();
        boolean known = partition.isr().contains(result.leader())
                || (elr && partition.isr().isEmpty() && partition.elr().contains(result.leader()));
        assertThat(result.unclean()).isEqualTo(result.leader() != -1 && !known);
    }

    /** Candidates in order of preference, written down one list after the other; the first that is active wins. */
    private static Result oracle(Mode mode, PartitionRegistration p, Set<Integer> active, boolean elr) {
        List<Integer> insync = p.isr().isEmpty() && elr ? p.elr() : p.isr();
        List<Integer> clean = new ArrayList<>();
        if (mode == Mode.PREFERRED) {
            clean.add(p.replicas().get(0));
        }
        clean.add(p.leader());
        clean.addAll(p.replicas());
        for (int candidate : clean) {
            if (insync.contains(candidate) && active.contains(candidate)) {
                return new Result(candidate, false);
            }
        }
        List<Integer> unclean = new ArrayList<>();
        if (elr && p.isr().isEmpty() && p.elr().isEmpty() && p.lastKnownElr().size() == 1) {
            unclean.addAll(p.lastKnownElr());
        }
        if (mode == Mode.UNCLEAN) {
            unclean.addAll(p.replicas());
        }
        return unclean.stream()
                .filter(active::contains)
                .findFirst()
                .map(leader -> new Result(leader, true))
                .orElse(new Result(-1, false));
    }

    @Provide
    Arbitrary<Set<Integer>> brokers() {
        return Arbitraries.of(1, 2, 3, 4).set().ofMaxSize(4);
    }

    /** ISR and ELR disjoint; any leader, any last known leaders. */
    @Provide
    Arbitrary<PartitionRegistration> partitions() {
        Arbitrary<List<Integer>> kinds =
                Arbitraries.integers().between(0, 2).list().ofSize(3);
        Arbitrary<List<Integer>> lastKnown =
                Arbitraries.of(1, 2, 3).list().uniqueElements().ofMaxSize(2);
        return Combinators.combine(kinds, lastKnown, Arbitraries.of(-1, 1, 2, 3))
                .as((kind, last, leader) -> {
                    List<Integer> isr =
                            REPLICAS.stream().filter(r -> kind.get(r - 1) == 1).toList();
                    List<Integer> elr =
                            REPLICAS.stream().filter(r -> kind.get(r - 1) == 2).toList();
                    return partition(leader, isr, elr, last);
                });
    }

    private static Result online(PartitionRegistration partition, Integer... active) {
        return elect(Mode.ONLINE, partition, true, Guards.ALL, active);
    }

    private static Result elect(
            Mode mode, PartitionRegistration partition, boolean elr, Guards guards, Integer... active) {
        return ElectionRule.elect(mode, partition, elr, List.of(active)::contains, guards);
    }

    static PartitionRegistration partition(int leader, List<Integer> isr, List<Integer> elr, List<Integer> lastKnown) {
        return new PartitionRegistration(
                REPLICAS, List.of(), isr, elr, lastKnown, List.of(), List.of(), leader, LeaderRecovery.RECOVERED, 4, 9);
    }
}
