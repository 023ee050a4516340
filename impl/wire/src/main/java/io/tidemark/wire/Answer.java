package io.tidemark.wire;

import java.util.List;
import org.apache.kafka.common.protocol.ApiMessage;

/** An answer that is already in Kafka's terms. */
public final class Answer {
    private final ApiMessage message;
    private final List<String> topicsToCreate;

    Answer(ApiMessage message) {
        this(message, List.of());
    }

    Answer(ApiMessage message, List<String> topicsToCreate) {
        this.message = message;
        this.topicsToCreate = List.copyOf(topicsToCreate);
    }

    ApiMessage message() {
        return message;
    }

    /** Topics that the client asked about, that do not exist and that it lets the broker create. */
    public List<String> topicsToCreate() {
        return topicsToCreate;
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
