package io.tidemark.runtime.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.runtime.ManualNetwork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerIdsTest {
    private static final ClientResponse RETRY =
            new ClientResponse.ProducerId(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, -1, (short) -1);

    private final BrokerFixture broker = BrokerFixture.started();
    private final ProducerIds ids = new ProducerIds(1, broker.loop, broker.controller, () -> BrokerFixture.EPOCH);
    private final List<ClientResponse> answers = new ArrayList<>();

    private void next(int count) {
        for (int i = 0; i < count; i++) {
            ids.next(answers::add);
        }
        broker.loop.run();
    }

    private void answer(ControllerResponse response) {
        ManualNetwork.Sent sent = broker.network.take();
        assertThat(sent.request()).isEqualTo(new ControllerRequest.AllocateProducerIds(1, BrokerFixture.EPOCH));
        sent.answer(response);
        broker.loop.run();
    }

    private static ClientResponse id(long id) {
        return new ClientResponse.ProducerId(ErrorCode.NONE, id, (short) 0);
    }

    @Test
    void aBlockIsAskedForOnceAndServesWhoWaitsInOrder() {
        next(2);
        assertThat(answers).isEmpty();
        answer(new ControllerResponse.ProducerIdBlock(7_000, 3));
        assertThat(answers).containsExactly(id(7_000), id(7_001));
        next(1);
        assertThat(answers).last().isEqualTo(id(7_002));
        assertThat(broker.network.sent()).isEmpty();
    }

    @Test
    void whoIsLeftOverByABlockWaitsForTheNextOne() {
        next(3);
        answer(new ControllerResponse.ProducerIdBlock(7_000, 2));
        assertThat(answers).containsExactly(id(7_000), id(7_001));
        answer(new ControllerResponse.ProducerIdBlock(9_000, 2));
        assertThat(answers).last().isEqualTo(id(9_000));
    }

    @Test
    void aRefusalSendsTheClientsAwayAndTheNextOneAsksAgain() {
        next(2);
        answer(new ControllerResponse.Refused(ErrorCode.STALE_BROKER_EPOCH, null));
        assertThat(answers).containsExactly(RETRY, RETRY);
        next(1);
        answer(new ControllerResponse.ProducerIdBlock(7_000, 1));
        assertThat(answers).last().isEqualTo(id(7_000));
    }

    @Test
    void aControllerThatDoesNotAnswerIsWaitedForSoLongOnly() {
        next(1);
        broker.network.take();
        broker.controller(3);
        broker.loop.elapse(100);
        broker.network.take();
        broker.controller(2);
        broker.loop.elapse(20_000);
        broker.network.sent().forEach(sent -> sent.answer(null));
        broker.loop.elapse(20_000);
        assertThat(answers).containsExactly(RETRY);
    }
}
