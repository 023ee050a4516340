package io.tidemark.node.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.port.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ThreadLoopTest {
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final ThreadLoop loop = new ThreadLoop("test-loop", 4, (thread, e) -> {
        failure.set(e);
        failed.countDown();
    });

    @AfterEach
    void end() {
        loop.close();
    }

    private void await() throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.post(() -> done.complete(null));
        done.get(10, TimeUnit.SECONDS);
    }

    @Test
    void tasksOfManyThreadsRunOneAtATimeAndInEachThreadsOrder() throws Exception {
        List<int[]> seen = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int id = t;
            threads.add(new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    int number = i;
                    loop.post(() -> seen.add(new int[] {id, number}));
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        await();
        assertThat(seen).hasSize(80_000);
        int[] next = new int[4];
        for (int[] entry : seen) {
            assertThat(entry[1]).isEqualTo(next[entry[0]]++);
        }
    }

    @Test
    void clientsAreRefusedWhenTheQueueIsFullAndTheNodeIsNot() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        loop.post(() -> {
            running.countDown();
            try {
                blocked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        running.await();
        List<String> ran = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            assertThat(loop.tryPost(() -> ran.add("client"))).isTrue();
        }
        assertThat(loop.tryPost(() -> ran.add("refused"))).isFalse();
        loop.post(() -> ran.add("node"));
        blocked.countDown();
        await();
        assertThat(ran).containsExactly("client", "client", "client", "client", "node");
        assertThat(loop.tryPost(() -> ran.add("again"))).isTrue();
    }

    @Test
    void timersRunInOrderOfTheirTimeAndNotAfterCancel() throws Exception {
        List<String> ran = new ArrayList<>();
        CompletableFuture<Long> last = new CompletableFuture<>();
        long start = System.nanoTime();
        loop.post(() -> {
            loop.schedule(40, () -> last.complete(System.nanoTime()));
            EventLoop.Timer never = loop.schedule(10, () -> ran.add("never"));
            loop.schedule(20, () -> ran.add("b"));
            loop.schedule(20, () -> ran.add("c"));
            loop.schedule(5, () -> {
                ran.add("a");
                never.cancel();
            });
        });
        long end = last.get(10, TimeUnit.SECONDS);
        assertThat(ran).containsExactly("a", "b", "c");
        assertThat(end - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
    }

    @Test
    void aTimerFromAnotherThreadWakesTheLoop() throws Exception {
        CompletableFuture<String> ran = new CompletableFuture<>();
        loop.schedule(1, () -> ran.complete(Thread.currentThread().getName()));
        assertThat(ran.get(10, TimeUnit.SECONDS)).isEqualTo("test-loop");
    }

    @Test
    void anExceptionEndsTheLoopAndIsHandedOver() throws Exception {
        List<String> ran = new ArrayList<>();
        loop.post(() -> {
            throw new IllegalStateException("broken");
        });
        loop.post(() -> ran.add("after"));
        assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(failure.get()).hasMessage("broken");
        assertThat(ran).isEmpty();
    }

    @Test
    void theFlushThreadFinishesWhatItWasGiven() {
        List<Integer> ran = new ArrayList<>();
        QueueFlushThread flush = new QueueFlushThread("test-flush", (thread, e) -> failure.set(e));
        for (int i = 0; i < 100; i++) {
            int number = i;
            flush.execute(() -> ran.add(number));
        }
        flush.close();
        assertThat(ran).hasSize(100).isSorted();
        assertThat(failure.get()).isNull();
    }
}
