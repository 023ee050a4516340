package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MinimiserTest {
    private static Plan plan(int turns) {
        return Plan.of(1)
                .withTurns(LongStream.range(0, turns)
                        .mapToObj(at -> new Turn(at * 100, Fault.KILL, Target.ONE, at))
                        .toList())
                .withWritten(IntStream.range(0, 4).boxed().toList());
    }

    /** Fails where all of some turns are there, and all of some partitions; counts what was run. */
    private static final class Pretended implements Minimiser.Trial {
        private final Set<Long> turns;
        private final Set<Integer> partitions;
        private int runs;
        private int most = Integer.MAX_VALUE;

        Pretended(Set<Long> turns, Set<Integer> partitions) {
            this.turns = new TreeSet<>(turns);
            this.partitions = new TreeSet<>(partitions);
        }

        @Override
        public int firstFailing(List<Plan> plans) {
            for (int i = 0; i < plans.size(); i++) {
                runs++;
                boolean fails =
                        plans.get(i).turns().stream().map(Turn::draw).toList().containsAll(turns)
                                && plans.get(i).written().containsAll(partitions)
                                && plans.get(i).forMs() > 2_000;
                if (fails) {
                    return i;
                }
            }
            return -1;
        }

        @Override
        public boolean timeIsUp() {
            return runs >= most;
        }
    }

    private static Outcome.Failure failure(int turns) {
        return new Outcome.Failure("Converges", "invariant", "", turns);
    }

    private static List<Long> left(Plan plan) {
        return plan.turns().stream().map(Turn::draw).toList();
    }

    @Test
    void leavesWhatIsNeeded() {
        Pretended trial = new Pretended(Set.of(3L, 17L, 18L), Set.of(2));
        Plan least = new Minimiser(trial).minimise(plan(40), failure(40));
        assertThat(left(least)).containsExactly(3L, 17L, 18L);
        assertThat(least.written()).containsExactly(2);
        assertThat(least.forMs()).isEqualTo(1_800 + 1_000);
        assertThat(trial.runs).isLessThan(100);
    }

    @Test
    void leavesNothingWhereNothingIsNeeded() {
        assertThat(new Minimiser(new Pretended(Set.of(), Set.of()))
                        .minimise(plan(10), failure(10))
                        .turns())
                .isEmpty();
    }

    @Test
    void turnsThatHadNotBegunAreNotTried() {
        Pretended trial = new Pretended(Set.of(1L), Set.of());
        assertThat(left(new Minimiser(trial).minimise(plan(1_000), failure(3)))).containsExactly(1L);
        assertThat(trial.runs).isLessThan(30);
    }

    @Test
    void endsWhenTheTimeIsUp() {
        Pretended trial = new Pretended(Set.of(3L, 17L, 18L), Set.of(2));
        trial.most = 3;
        Plan sofar = new Minimiser(trial).minimise(plan(40), failure(40));
        assertThat(trial.runs).isLessThanOrEqualTo(5);
        assertThat(left(sofar)).contains(3L, 17L, 18L).hasSizeLessThanOrEqualTo(40);
    }

    /** A real one: a guard is off, the least plan still shows it, and each of its turns is needed. */
    @Test
    void aMutantsFailureNeedsFewFaults() {
        Guards guards = Guards.without(Guard.REGISTRATION_UNCLEAN);
        List<Plan> failing = new ArrayList<>();
        for (long seed = 1; failing.isEmpty(); seed++) {
            Plan plan = Plan.of(seed, Shape.of(seed).withGuards(guards), Aim.all(), Plan.DEFAULT_FOR_MS);
            Outcome.Failure failure = Outcome.of(plan).failure();
            if (failure != null && failure.check().equals("ElectableComplete")) {
                failing.add(plan);
                Plan least = new Minimiser(Minimiser.oneByOne(failure)).minimise(plan, failure);
                assertThat(Minimiser.fails(least, failure)).isTrue();
                assertThat(least.turns()).hasSizeLessThanOrEqualTo(15).isNotEmpty();
                for (Turn turn : least.turns()) {
                    List<Turn> rest = new ArrayList<>(least.turns());
                    rest.remove(turn);
                    assertThat(Minimiser.fails(
                                    plan.withTurns(rest)
                                            .withWritten(least.written())
                                            .withForMs(least.forMs()),
                                    failure))
                            .isFalse();
                }
                assertThat(Outcome.story(least)).contains("FAULT ");
            }
        }
    }
}
