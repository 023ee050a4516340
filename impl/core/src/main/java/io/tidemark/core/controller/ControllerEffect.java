package io.tidemark.core.controller;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.metadata.MetadataRecord;
import java.util.List;

/** What the runtime carries out for the controller, in the order given. */
public sealed interface ControllerEffect {
    void applyTo(Handler handler);

    /** Carries effects out: one method each, so that a new effect does not compile until somebody does. */
    interface Handler {
        void append(Append effect);

        void reply(Reply effect);

        void setSession(SetSession effect);

        void cancelSession(CancelSession effect);

        void self(Self effect);
    }

    /**
     * Hand one atomic batch to the quorum of this node (as its AppendMetadata), at exactly {@code baseOffset}.
     *
     * @param epoch the controller's epoch
     */
    record Append(int epoch, long baseOffset, List<MetadataRecord> records) implements ControllerEffect {
        public Append {
            records = List.copyOf(records);
        }

        @Override
        public void applyTo(Handler handler) {
            handler.append(this);
        }
    }

    record Reply(ReplyToken token, ControllerResponse response, Requires requires) implements ControllerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.reply(this);
        }
    }

    /** (Re)start the session of a broker: {@code broker.session.timeout.ms}; feeds BrokerSessionTimeout. */
    record SetSession(int brokerId) implements ControllerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.setSession(this);
        }
    }

    record CancelSession(int brokerId) implements ControllerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.cancelSession(this);
        }
    }

    record Self(ControllerInput input) implements ControllerEffect {
        @Override
        public void applyTo(Handler handler) {
            handler.self(this);
        }
    }
}
