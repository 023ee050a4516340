package io.tidemark.runtime;

import io.tidemark.core.broker.BrokerState;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.metadata.MetadataView;
import java.util.List;

/** A node that nobody looks at; what is fatal to it fails the test. */
public final class TestObserver {
    public static final NodeObserver NOBODY = new NodeObserver() {
        @Override
        public void brokerState(BrokerState state) {}

        @Override
        public void brokerReady() {}

        @Override
        public void quorumLeader(int leaderId, int epoch) {}

        @Override
        public void metadataApplied(List<MetadataState.Applied> applied, MetadataView view) {}

        @Override
        public void fatal(String reason) {
            throw new AssertionError(reason);
        }
    };

    private TestObserver() {}
}
