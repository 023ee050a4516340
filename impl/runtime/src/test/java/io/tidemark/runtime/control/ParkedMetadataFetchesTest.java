package io.tidemark.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.runtime.ManualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ParkedMetadataFetchesTest {
    private static final int MAX_WAIT_MS = 500;

    private final ManualLoop loop = new ManualLoop();
    private final List<QuorumInput> again = new ArrayList<>();
    private final ParkedMetadataFetches parked = new ParkedMetadataFetches(loop, again::add);
    private final QuorumEffect.ReplyFetch two = fetch(2);
    private final QuorumEffect.ReplyFetch three = fetch(3);

    private static QuorumEffect.ReplyFetch fetch(int replica) {
        return new QuorumEffect.ReplyFetch(
                new ReplyToken() {},
                new QuorumMessage.MetadataFetch(
                        "cluster", new ReplicaKey(replica, new UUID(replica, 7)), 1, 0, 0, 0, MAX_WAIT_MS),
                new QuorumMessage.MetadataFetchResult(
                        ErrorCode.NONE, 1, 1, List.of(), 0, 0, null, null, RecordBytes.EMPTY),
                0,
                false,
                Requires.NOTHING);
    }

    private static QuorumInput input(QuorumEffect.ReplyFetch fetch) {
        return new QuorumInput.MetadataRead(fetch.request(), fetch.token());
    }

    @Test
    void newsWakeThemInTheOrderInWhichTheyCame() {
        assertThat(parked.park(three)).isTrue();
        assertThat(parked.park(two)).isTrue();
        parked.wake();
        assertThat(again).containsExactly(input(three), input(two));
        assertThat(loop.timers()).isZero();
        parked.wake();
        assertThat(again).as("once each").hasSize(2);
    }

    @Test
    void theWaitIsThatOfTheRequestHoweverOftenItIsWoken() {
        parked.park(two);
        loop.elapse(MAX_WAIT_MS - 1);
        parked.wake();
        assertThat(parked.park(two)).isTrue();
        again.clear();
        loop.elapse(1);
        assertThat(again).containsExactly(input(two));
        assertThat(parked.park(two)).as("its time is over").isFalse();
    }

    @Test
    void anAnswerEndsTheWait() {
        parked.park(two);
        loop.elapse(MAX_WAIT_MS);
        assertThat(parked.park(two)).isFalse();
        parked.answered(two.token());
        assertThat(parked.park(two))
                .as("another request on the same connection")
                .isTrue();
    }
}
