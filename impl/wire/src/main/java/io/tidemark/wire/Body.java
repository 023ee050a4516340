package io.tidemark.wire;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.quorum.QuorumMessage;
import java.util.function.Function;

/** What a request asks for, by who answers it. */
public sealed interface Body {
    /** Calls the handler's method for this kind of body, and returns what it does. */
    <T> T applyTo(Handler<T> handler);

    /** One method for each kind, so that a new kind does not compile until everyone says what it means there. */
    interface Handler<T> {
        T quorum(Quorum body);

        T controller(Controller body);

        T client(Client body);

        T question(Question body);

        T derived(Derived body);

        T immediate(Immediate body);
    }

    /** For the quorum; answered by a {@link QuorumMessage.Response}. */
    record Quorum(QuorumMessage.Request request) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.quorum(this);
        }
    }

    /** For the active controller, met on a controller listener; answered by its {@code ControllerResponse}. */
    record Controller(ControllerRequest request) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.controller(this);
        }
    }

    /**
     * For the broker (on a controller listener only {@link ClientRequest.DescribeQuorum}); answered by a {@code
     * ClientResponse}.
     */
    record Client(ClientRequest request) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.client(this);
        }
    }

    /** Answered from the metadata alone. */
    record Question(MetadataQuestion question) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.question(this);
        }
    }

    /**
     * Becomes an admin request for the controller once the metadata is known: the old AlterConfigs names all configs that
     * shall stay. Answered like {@link Controller}, or on a broker listener like {@link ClientRequest.Admin}.
     */
    record Derived(Function<MetadataView, ControllerRequest> request, int timeoutMs) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.derived(this);
        }
    }

    /** Refused as it stands: to be encoded and sent. */
    record Immediate(Answer answer) implements Body {
        @Override
        public <T> T applyTo(Handler<T> handler) {
            return handler.immediate(this);
        }
    }
}
