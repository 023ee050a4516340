package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControllerChannelTest {
    private static final ControllerRequest REQUEST = new ControllerRequest.BrokerHeartbeat(1, 5, 10, false, false);
    private static final ControllerResponse ANSWER = new ControllerResponse.Heartbeat(true, false, false);

    /** Runs what is posted at once; timers wait until they are told to run. */
    private static final class Loop implements EventLoop {
        private final List<Runnable> timers = new ArrayList<>();
        private long now;

        @Override
        public void post(Runnable task) {
            task.run();
        }

        @Override
        public boolean tryPost(Runnable task) {
            task.run();
            return true;
        }

        @Override
        public Timer schedule(long delayMs, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }

        @Override
        public long nowMs() {
            return now;
        }

        void elapse(long ms) {
            now += ms;
            List<Runnable> due = List.copyOf(timers);
            timers.clear();
            due.forEach(Runnable::run);
        }
    }

    private record Sent(Endpoint to, Consumer<@Nullable Object> done) {}

    private final Loop loop = new Loop();
    private final List<Sent> sent = new ArrayList<>();
    private final Network network = (to, channel, request, timeoutMs, on, done) -> sent.add(new Sent(to, done));
    private final ControllerChannel channel = new ControllerChannel(loop, network);
    private final List<@Nullable ControllerResponse> answers = new ArrayList<>();

    private void leader(int id) {
        channel.leadership(
                new ControlPlane.Leadership(id, id, List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + id))));
    }

    @Test
    void anAnswerComesFromTheLeaderThatIsKnown() {
        leader(2);
        channel.once(Network.Channel.CONTROLLER, REQUEST, 1_000, answers::add);
        assertThat(sent.get(0).to().port()).isEqualTo(9002);
        sent.get(0).done().accept(ANSWER);
        assertThat(answers).containsExactly(ANSWER);
    }

    @Test
    void whoAskedALeaderThatIsNoneAnyMoreDoesNotWaitForIt() {
        leader(2);
        channel.once(Network.Channel.CONTROLLER, REQUEST, 30_000, answers::add);
        leader(3);
        assertThat(answers).containsExactly((ControllerResponse) null);
        sent.get(0).done().accept(ANSWER);
        assertThat(answers).as("the frozen leader's late answer").hasSize(1);
    }

    @Test
    void aRequestUntilADeadlineGoesToTheNextController() {
        leader(2);
        channel.until(10_000, REQUEST, answers::add);
        sent.get(0).done().accept(new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null));
        leader(3);
        loop.elapse(50);
        assertThat(sent.get(1).to().port()).isEqualTo(9003);
        sent.get(1).done().accept(ANSWER);
        assertThat(answers).containsExactly(ANSWER);
    }

    @Test
    void withoutAControllerTheDeadlineAnswers() {
        channel.until(100, REQUEST, answers::add);
        loop.elapse(50);
        loop.elapse(200);
        loop.elapse(200);
        assertThat(answers)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        ControllerResponse.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT));
    }
}
