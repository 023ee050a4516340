package io.tidemark.runtime;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class has logged of level WARN and above since this was made. */
public final class LogLines implements AutoCloseable {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger;

    public LogLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        lines.start();
        logger.addAppender(lines);
    }

    public List<String> get() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
    }
}
