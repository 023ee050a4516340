package io.tidemark.core.controller;

import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.metadata.MetadataRecord;
import java.util.List;

/** What the runtime carries out for the controller, in the order given. */
public sealed interface ControllerEffect {
    /**
     * Hand one atomic batch to the quorum of this node (as its AppendMetadata), at exactly {@code baseOffset}.
     *
     * @param epoch the controller's epoch
     */
    record Append(int epoch, long baseOffset, List<MetadataRecord> records) implements ControllerEffect {
        public Append {
            records = List.copyOf(records);
        }
    }

    record Reply(ReplyToken token, ControllerResponse response, Requires requires) implements ControllerEffect {}

    /** (Re)start the session of a broker: {@code broker.session.timeout.ms}; feeds BrokerSessionTimeout. */
    record SetSession(int brokerId) implements ControllerEffect {}

    record CancelSession(int brokerId) implements ControllerEffect {}

    record Self(ControllerInput input) implements ControllerEffect {}
}
