package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogLimiterTest {
    @Test
    void ofEachKindOneLineInTenSeconds() {
        Logger logger = (Logger) LoggerFactory.getLogger("limited");
        logger.setAdditive(false);
        logger.setLevel(ch.qos.logback.classic.Level.WARN);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        LogLimiter limiter = new LogLimiter(logger, now::get);
        limiter.warn("a", "first");
        limiter.warn("a", "second");
        limiter.warn("b", "other");
        now.addAndGet(TimeUnit.SECONDS.toNanos(10));
        limiter.warn("a", "third");
        limiter.warn("a", "fourth");
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("first", "other", "third (and 1 like it before)");
    }

    @Test
    void kindsAreBounded() {
        LogLimiter limiter = new LogLimiter(org.slf4j.helpers.NOPLogger.NOP_LOGGER, () -> 0L);
        for (int i = 0; i < 10_000; i++) {
            limiter.warn("kind " + i, "x");
            limiter.warnOnce("kind " + i, "x");
        }
        assertThat(limiter.kinds()).isLessThanOrEqualTo(2 * 257);
    }
}
