package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.ManualNetwork.Sent;
import io.tidemark.runtime.control.ControlPlane;
import io.tidemark.runtime.port.Network;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControllerChannelTest {
    private static final ControllerRequest REQUEST = new ControllerRequest.BrokerHeartbeat(1, 5, 10, false, false);
    private static final ControllerResponse ANSWER = new ControllerResponse.Heartbeat(true, false, false);

    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final ControllerChannel channel = new ControllerChannel(loop, network);
    private final List<@Nullable ControllerResponse> answers = new ArrayList<>();

    private void leader(int id) {
        channel.leadership(
                new ControlPlane.Leadership(id, id, List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + id))));
        loop.run();
    }

    private void answer(Sent sent, Object response) {
        sent.answer(response);
        loop.run();
    }

    @Test
    void anAnswerComesFromTheLeaderThatIsKnown() {
        leader(2);
        channel.once(Network.Channel.CONTROLLER, REQUEST, 1_000, answers::add);
        Sent sent = network.take();
        assertThat(sent.to().port()).isEqualTo(9002);
        answer(sent, ANSWER);
        assertThat(answers).containsExactly(ANSWER);
    }

    @Test
    void whoAskedALeaderThatIsNoneAnyMoreDoesNotWaitForIt() {
        leader(2);
        channel.once(Network.Channel.CONTROLLER, REQUEST, 30_000, answers::add);
        Sent frozen = network.take();
        leader(3);
        assertThat(answers).containsExactly((ControllerResponse) null);
        answer(frozen, ANSWER);
        assertThat(answers).as("the frozen leader's late answer").hasSize(1);
    }

    @Test
    void norDoesWhoAskedItForTheQuorum() {
        List<ClientResponse> quorum = new ArrayList<>();
        leader(2);
        channel.describeQuorum(30_000, quorum::add);
        assertThat(network.take().request()).isInstanceOf(ClientRequest.DescribeQuorum.class);
        leader(3);
        assertThat(quorum).singleElement().isInstanceOfSatisfying(ClientResponse.Quorum.class, unknown -> {
            assertThat(unknown.error()).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
            assertThat(unknown.leaderId()).isEqualTo(3);
        });
        ClientResponse described = new ClientResponse.Quorum(ErrorCode.NONE, 3, 3, 7, List.of(), List.of());
        channel.describeQuorum(30_000, quorum::add);
        answer(network.take(), described);
        assertThat(quorum).last().isEqualTo(described);
    }

    @Test
    void aRequestUntilADeadlineGoesToTheNextController() {
        leader(2);
        channel.until(10_000, REQUEST, answers::add);
        answer(network.take(), new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null));
        leader(3);
        loop.elapse(50);
        Sent next = network.take();
        assertThat(next.to().port()).isEqualTo(9003);
        assertThat(next.timeoutMs()).as("what is left").isEqualTo(9_950);
        answer(next, ANSWER);
        assertThat(answers).containsExactly(ANSWER);
    }

    @Test
    void withoutAControllerTheDeadlineAnswers() {
        channel.until(100, REQUEST, answers::add);
        loop.elapse(99);
        assertThat(answers).isEmpty();
        loop.elapse(200);
        assertThat(answers)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        ControllerResponse.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT));
    }

    @Test
    void whatIsWantedNoMoreIsNotSentAgain() {
        boolean[] wanted = {true};
        leader(2);
        channel.untilAnswered(Network.Channel.CONTROLLER, REQUEST, () -> wanted[0] ? 1_000 : 0, answers::add);
        network.take().answer(null);
        loop.elapse(49);
        wanted[0] = false;
        loop.elapse(100);
        assertThat(network.sent()).isEmpty();
        assertThat(answers).containsExactly((ControllerResponse) null);
    }
}
