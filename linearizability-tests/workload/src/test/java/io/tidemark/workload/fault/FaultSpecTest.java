package io.tidemark.workload.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultSpecTest {
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

    private static List<String> parsed(String... entries) {
        return FaultSpec.parse(List.of(entries), ALL).stream()
                .map(FaultSpec::toString)
                .toList();
    }

    @Test
    void aNameWithATargetIsThatAlone() {
        assertThat(parsed("kill@leader", "freeze@controller", "restart@node=2"))
                .containsExactly("kill@leader", "freeze@controller", "restart@node=2");
    }

    @Test
    void aNameWithoutATargetStandsForItsDefaults() {
        assertThat(parsed("kill", "kill@leader")).containsExactly("kill@leader", "kill@controller", "kill@one");
    }

    @Test
    void allHasEveryKindAndNoneHasNothing() {
        assertThat(FaultSpec.parse(List.of("all"), ALL))
                .extracting(FaultSpec::kind)
                .contains(FaultKind.values());
        assertThat(parsed("none")).isEmpty();
    }

    @Test
    void allStandsForWhatIsPossible() {
        assertThat(FaultSpec.parse(List.of("all"), EnumSet.of(FaultKind.KILL)))
                .extracting(FaultSpec::toString)
                .containsExactly("kill@leader", "kill@controller", "kill@one");
        assertThat(FaultSpec.parse(List.of("disk-full"), EnumSet.of(FaultKind.KILL)))
                .as("whether it is possible is the caller's to say")
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "explode|unknown fault explode; one of kill, freeze, restart, rolling-restart, leader-move, disk-full, all, none",
                "kill@|unknown target @; one of @one, @minority, @majority, @all, @leader, @controller, @node=N",
                "kill@rack=a|unknown target @rack=a; one of @one, @minority, @majority, @all, @leader, @controller, @node=N",
                "KILL|unknown fault KILL; one of kill, freeze, restart, rolling-restart, leader-move, disk-full, all, none",
            })
    void whatIsUnknownIsRefusedWithWhatIsKnown(String entry, String message) {
        assertThatThrownBy(() -> FaultSpec.parse(List.of(entry), ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void noneContradictsOtherFaults() {
        assertThatThrownBy(() -> FaultSpec.parse(List.of("none", "kill"), ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("none together with other faults; ");
    }

    private static List<String> planned(List<FaultSpec> specs, long seed, int count) {
        FaultPlan plan = new FaultPlan(specs, new Random(seed));
        return Stream.generate(() -> plan.next().toString()).limit(count).toList();
    }

    @Test
    void aPlanOpensWithLeadersAndTheControllerAndHasEveryKindBeforeARollingRestart() {
        List<FaultSpec> all = FaultSpec.parse(List.of("all"), ALL);
        Set<List<String>> between = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            List<String> round = planned(all, seed, all.size());
            assertThat(round)
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().map(FaultSpec::toString).toList())
                    .startsWith("kill@leader", "kill@controller", "freeze@leader", "freeze@controller");
            assertThat(round.subList(4, 7))
                    .containsExactlyInAnyOrder("restart@leader", "leader-move@leader", "disk-full@all");
            assertThat(round.get(7)).isEqualTo("rolling-restart@all");
            between.add(round.subList(4, 7));
        }
        assertThat(between).as("the seed draws their order").hasSizeGreaterThan(2);
    }

    @Test
    void aPlanOpensWithWhatIsAskedForOfIt() {
        List<FaultSpec> some = FaultSpec.parse(List.of("rolling-restart", "freeze@controller", "kill@one"), ALL);
        for (int seed = 0; seed < 20; seed++) {
            assertThat(planned(some, seed, 3)).containsExactly("freeze@controller", "kill@one", "rolling-restart@all");
        }
    }

    /** What a run that is short of time does: the kinds that it has not tried come first, and nothing is left out. */
    @Test
    void kindsThatAreWantedComeFirstAndTheOthersStay() {
        FaultPlan plan =
                new FaultPlan(FaultSpec.parse(List.of("kill", "freeze", "rolling-restart"), ALL), new Random(3));
        List<String> order = new ArrayList<>();
        order.add(plan.next().toString());
        order.add(plan.next(EnumSet.of(FaultKind.FREEZE, FaultKind.ROLLING_RESTART))
                .toString());
        order.add(plan.next(EnumSet.of(FaultKind.ROLLING_RESTART)).toString());
        order.add(plan.next(EnumSet.of(FaultKind.ROLLING_RESTART)).toString());
        order.add(plan.next().toString());
        assertThat(order)
                .containsExactly(
                        "kill@leader", "freeze@leader", "rolling-restart@all", "kill@controller", "freeze@controller");
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        List<FaultSpec> all = FaultSpec.parse(List.of("all"), ALL);
        FaultPlan one = new FaultPlan(all, new Random(9));
        FaultPlan two = new FaultPlan(all, new Random(9));
        FaultPlan other = new FaultPlan(all, new Random(10));
        FaultSpec[] first = new FaultSpec[30];
        FaultSpec[] second = new FaultSpec[30];
        FaultSpec[] third = new FaultSpec[30];
        Arrays.setAll(first, i -> one.next());
        Arrays.setAll(second, i -> two.next());
        Arrays.setAll(third, i -> other.next());
        assertThat(first).isEqualTo(second).isNotEqualTo(third);
    }
}
