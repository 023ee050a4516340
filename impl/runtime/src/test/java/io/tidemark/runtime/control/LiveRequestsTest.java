package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.ManualLoop;
import io.tidemark.runtime.ManualNetwork;
import io.tidemark.runtime.ManualNetwork.Sent;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.runtime.TestSettings;
import io.tidemark.runtime.port.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveRequestsTest {
    private final ManualLoop loop = new ManualLoop();
    private final ManualNetwork network = new ManualNetwork();
    private final NodeSettings.Quorum times = TestSettings.node().quorum();
    private final int backOff = times.retryBackoffMs();
    private final List<String> answered = new ArrayList<>();
    private boolean known = true;
    private final LiveRequests requests = new LiveRequests(
            loop,
            network,
            times,
            id -> known ? List.of(new Endpoint("CONTROLLER", "127.0.0.1", 9000 + id)) : List.of(),
            this::answered);
    private QuorumMessage.@Nullable Request next;

    private void answered(int to, QuorumMessage.Request request, QuorumMessage.Response response) {
        answered.add(to + " " + epoch(request) + " " + response.error());
        if (next != null) {
            requests.put(to, next).run();
        }
    }

    private static int epoch(QuorumMessage.Request request) {
        return request instanceof QuorumMessage.Vote vote
                ? vote.epoch()
                : ((QuorumMessage.MetadataFetch) request).epoch();
    }

    private static ReplicaKey key(int id) {
        return new ReplicaKey(id, new UUID(id, 0));
    }

    private static QuorumMessage.Vote vote(int to, int epoch) {
        return new QuorumMessage.Vote(TestSettings.CLUSTER, epoch, key(1), key(to), new OffsetAndEpoch(0, 0), false);
    }

    private static QuorumMessage.VoteResult granted(ErrorCode error) {
        return new QuorumMessage.VoteResult(error, 5, -1, List.of(), true, false);
    }

    private static QuorumMessage.MetadataFetch fetch(int epoch, long offset) {
        return new QuorumMessage.MetadataFetch(TestSettings.CLUSTER, key(1), epoch, offset, 0, 0, 500);
    }

    private static QuorumMessage.MetadataFetchResult fetched() {
        return new QuorumMessage.MetadataFetchResult(
                ErrorCode.NONE, 5, 2, List.of(), 0, 0, null, null, RecordBytes.EMPTY);
    }

    private static QuorumMessage.MetadataFetchResult brings() {
        return new QuorumMessage.MetadataFetchResult(
                ErrorCode.NONE, 5, 2, List.of(), 0, 0, new OffsetAndEpoch(0, 0), null, RecordBytes.EMPTY);
    }

    private Sent send(int to, QuorumMessage.Request request) {
        requests.put(to, request).run();
        return network.take();
    }

    private void answer(Sent sent, QuorumMessage.Response response) {
        sent.answer(response);
        loop.run();
    }

    @Test
    void eachKindHasItsChannelAndAFetchTheTimeForItsWait() {
        Sent vote = send(2, vote(2, 5));
        Sent fetch = send(2, fetch(5, 0));
        assertThat(vote.channel()).isEqualTo(Network.Channel.QUORUM);
        assertThat(vote.to().port()).isEqualTo(9002);
        assertThat(vote.timeoutMs()).isEqualTo(times.requestTimeoutMs());
        assertThat(fetch.channel()).isEqualTo(Network.Channel.METADATA_FETCH);
        assertThat(fetch.timeoutMs()).isEqualTo(times.requestTimeoutMs() + 500);
        answer(fetch, fetched());
        answer(vote, granted(ErrorCode.NONE));
        assertThat(answered).containsExactly("2 5 NONE", "2 5 NONE");
    }

    @Test
    void withoutAnAnswerItIsSentAgainAfterTheBackOff() {
        send(2, vote(2, 5)).answer(null);
        loop.elapse(backOff - 1);
        assertThat(network.sent()).isEmpty();
        loop.elapse(1);
        answer(network.take(), granted(ErrorCode.NONE));
        loop.elapse(10L * backOff);
        assertThat(network.sent()).isEmpty();
        assertThat(answered).containsExactly("2 5 NONE");
    }

    @Test
    void withoutAnAddressItWaitsForOne() {
        known = false;
        requests.put(2, vote(2, 5)).run();
        loop.elapse(5L * backOff);
        assertThat(network.sent()).isEmpty();
        known = true;
        loop.elapse(backOff);
        assertThat(network.take().request()).isEqualTo(vote(2, 5));
    }

    @Test
    void theAnswerToOneThatWasReplacedIsNone() {
        Sent first = send(2, vote(2, 5));
        Sent second = send(2, vote(2, 5));
        answer(first, granted(ErrorCode.NONE));
        assertThat(answered).isEmpty();
        answer(second, granted(ErrorCode.NONE));
        assertThat(answered).hasSize(1);
        Sent lost = send(3, vote(3, 5));
        send(3, vote(3, 6));
        lost.answer(null);
        loop.elapse(10L * backOff);
        assertThat(network.sent()).as("nobody repeats the old one").isEmpty();
    }

    @Test
    void aFetchToAnotherNodeReplacesTheOneToTheLastLeaderAndVotesDoNot() {
        Sent vote = send(2, vote(2, 5));
        Sent last = send(2, fetch(5, 0));
        Sent now = send(3, fetch(6, 0));
        answer(last, fetched());
        answer(vote, granted(ErrorCode.NONE));
        answer(now, fetched());
        assertThat(answered).containsExactly("2 5 NONE", "3 6 NONE");
    }

    @Test
    void whatIsAbandonedIsNeitherSentNorAnswered() {
        Runnable held = requests.put(2, vote(2, 5));
        Sent asked = send(3, vote(3, 5));
        known = false;
        requests.put(4, vote(4, 5)).run();
        requests.abandonAll();
        known = true;
        held.run();
        answer(asked, granted(ErrorCode.NONE));
        loop.elapse(10L * backOff);
        assertThat(network.sent()).isEmpty();
        assertThat(answered).isEmpty();
    }

    @Test
    void whatFollowsAnErrorWaitsForTheBackOffToo() {
        answer(send(2, vote(2, 5)), granted(ErrorCode.INVALID_REQUEST));
        requests.put(2, vote(2, 6)).run();
        assertThat(send(3, vote(3, 6)).to().port()).as("others do not").isEqualTo(9003);
        loop.elapse(backOff - 1);
        assertThat(network.sent()).isEmpty();
        loop.elapse(1);
        answer(network.take(), granted(ErrorCode.NONE));
        send(2, vote(2, 7));
    }

    /** The leader has nothing else to give: a batch that does not continue the log, a divergence that cuts nothing. */
    @Test
    void whatIsNotTakenIsAskedForAgainAfterTheBackOff() {
        QuorumMessage.MetadataFetchResult diverging = brings();
        next = fetch(5, 0);
        answer(send(2, fetch(5, 0)), diverging);
        loop.elapse(backOff - 1);
        assertThat(network.sent()).isEmpty();
        loop.elapse(1);
        next = fetch(5, 1);
        answer(network.take(), diverging);
        assertThat(network.take().request()).as("taken").isEqualTo(fetch(5, 1));
    }

    /** Only what is asked for while an answer is taken was refused; the same may be asked for later, for another reason. */
    @Test
    void whatIsAskedForLaterWasNotRefused() {
        answer(send(2, fetch(5, 0)), brings());
        assertThat(send(2, fetch(5, 0)).request()).as("at once").isEqualTo(fetch(5, 0));
    }

    @Test
    void whatBringsNothingIsAskedForAgainAtOnce() {
        next = fetch(5, 0);
        answer(send(2, fetch(5, 0)), fetched());
        assertThat(network.take().request()).isEqualTo(fetch(5, 0));
    }
}
