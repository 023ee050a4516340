package io.tidemark.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.quorum.Endpoint;
import io.tidemark.runtime.port.EventLoop;
import io.tidemark.runtime.port.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps what was sent; the test answers. */
public final class ManualNetwork implements Network {
    /** A request on its way. */
    public record Sent(
            Endpoint to,
            Channel channel,
            Object request,
            int timeoutMs,
            EventLoop loop,
            Consumer<@Nullable Object> done) {
        public void answer(@Nullable Object response) {
            loop.post(() -> done.accept(response));
        }
    }

    private final List<Sent> sent = new ArrayList<>();

    @Override
    public void request(
            Endpoint to,
            Channel channel,
            Object request,
            int timeoutMs,
            EventLoop loop,
            Consumer<@Nullable Object> done) {
        sent.add(new Sent(to, channel, request, timeoutMs, loop, done));
    }

    /** The only request that was sent since the last one was taken. */
    public Sent take() {
        assertThat(sent).hasSize(1);
        return sent.remove(0);
    }

    /** Requests that nobody took. */
    public List<Sent> sent() {
        return sent;
    }
}
