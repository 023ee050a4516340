package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.MetadataBatch;
import io.tidemark.core.quorum.QuorumEffect;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetch;
import io.tidemark.core.quorum.QuorumMessage.MetadataFetchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The replication of the metadata log. */
final class MetadataFetchAdapters {
    private MetadataFetchAdapters() {}

    static List<Adapter> all(QuorumStart.Cores cores) {
        return List.of(new HandleMetadataFetch(cores), new HandleMetadataFetchResponse(cores));
    }

    private static final class HandleMetadataFetch extends QuorumRequest<MetadataFetch> {
        HandleMetadataFetch(QuorumStart.Cores cores) {
            super(SpecAction.HandleMetadataFetch, "fetch", "l", "f", cores);
        }

        @Override
        public @Nullable MetadataFetch live(State state, String from, String to) {
            return state.get("fetchResp", from).isNil() ? CurrentSends.fetch(cores(), state, from, to) : null;
        }

        @Override
        public MetadataFetch late(Val ghost) {
            return new MetadataFetch(
                    Nodes.CLUSTER,
                    Nodes.key(ghost.at("key")),
                    ghost.at("epoch").integer(),
                    ghost.at("offset").integer(),
                    ghost.at("lastEpoch").integer(),
                    ghost.at("hw").integer(),
                    Nodes.WAIT_MS);
        }

        @Override
        public Map<String, Val> kept(MetadataFetch fetch) {
            return Map.of(
                    "epoch", Val.of(fetch.epoch()),
                    "key", Nodes.name(fetch.replica()),
                    "offset", Val.of((int) fetch.fetchOffset()),
                    "lastEpoch", Val.of(fetch.lastFetchedEpoch()),
                    "hw", Val.of((int) fetch.hw()));
        }

        @Override
        public QuorumTrial asked(QuorumTrial trial, MetadataFetch request, boolean late, String from, String to) {
            return trial.input(new QuorumInput.HandleMetadataFetch(request, QuorumTrial.TOKEN))
                    .message(
                            next -> late ? QuorumTrial.NONE : specified(next.get("fetchResp", from), request),
                            effect -> late ? QuorumTrial.NONE : sent(effect));
        }

        private static Object specified(Val answer, MetadataFetch request) {
            if (answer.isNil()) {
                return QuorumTrial.NONE;
            }
            Val end = answer.at("end");
            return told(
                    answer.at("ok").bool(),
                    answer.at("epoch").integer(),
                    Nodes.idOrNone(answer.at("leader")),
                    answer.at("hw").integer(),
                    request.fetchOffset() + answer.at("records").size(),
                    end.isNil()
                            ? null
                            : new OffsetAndEpoch(
                                    end.at("offset").integer(), end.at("epoch").integer()));
        }

        /** What says nothing new waits, in the code as in the specification. */
        private static @Nullable Object sent(QuorumEffect effect) {
            if (!(effect instanceof QuorumEffect.ReplyFetch reply)) {
                return null;
            }
            MetadataFetchResult result = reply.response();
            return told(
                    result.error() == ErrorCode.NONE,
                    result.epoch(),
                    result.leaderId(),
                    result.hw(),
                    reply.upTo(),
                    result.diverging());
        }

        private static String told(
                boolean ok, int epoch, int leader, long hw, long upTo, @Nullable OffsetAndEpoch diverging) {
            return (ok ? "ok" : "refused") + " in " + epoch + " led by " + leader
                    + (ok ? " hw " + hw + " up to " + upTo : "")
                    + (diverging == null ? "" : " diverging " + diverging.epoch() + " at " + diverging.offset());
        }
    }

    private static final class HandleMetadataFetchResponse extends Adapter {
        private final QuorumStart.Cores cores;

        HandleMetadataFetchResponse(QuorumStart.Cores cores) {
            super(SpecAction.HandleMetadataFetchResponse);
            this.cores = cores;
        }

        @Override
        public @Nullable Trial trial(State state, Call instance) {
            String follower = instance.arg("f").text();
            if (!Nodes.up(state, follower)) {
                return null;
            }
            QuorumTrial trial = new QuorumTrial(state, follower, cores);
            MetadataFetch asked = trial.liveFetch();
            Val answer = state.get("fetchResp", follower);
            return answer.isNil() ? stale(trial, asked) : answered(trial, asked, answer);
        }

        /** None is on its way: one to a fetch of an earlier epoch comes all the same. */
        private static Trial stale(QuorumTrial trial, MetadataFetch asked) {
            MetadataFetch earlier = new MetadataFetch(
                    asked.clusterId(),
                    asked.replica(),
                    asked.epoch() - 1,
                    asked.fetchOffset(),
                    asked.lastFetchedEpoch(),
                    asked.hw(),
                    asked.maxWaitMs());
            MetadataFetchResult result = new MetadataFetchResult(
                    ErrorCode.NONE,
                    asked.epoch(),
                    1,
                    Nodes.endpoints(1),
                    asked.fetchOffset() + 1,
                    0,
                    null,
                    null,
                    RecordBytes.EMPTY);
            return trial.input(new QuorumInput.HandleMetadataFetchResponse(1, earlier, result, List.of()));
        }

        private static Trial answered(QuorumTrial trial, MetadataFetch asked, Val answer) {
            int leader = Nodes.idOrNone(answer.at("leader"));
            Val end = answer.at("end");
            List<MetadataBatch> batches = new ArrayList<>();
            for (Val record : answer.at("records").list()) {
                batches.add(batch(asked.fetchOffset() + batches.size(), record));
            }
            return trial.input(new QuorumInput.HandleMetadataFetchResponse(
                    Nodes.id(answer.at("from").text()),
                    asked,
                    new MetadataFetchResult(
                            answer.at("ok").bool() ? ErrorCode.NONE : ErrorCode.FENCED_LEADER_EPOCH,
                            answer.at("epoch").integer(),
                            leader,
                            Nodes.endpoints(leader),
                            answer.at("hw").integer(),
                            0,
                            end.isNil()
                                    ? null
                                    : new OffsetAndEpoch(
                                            end.at("offset").integer(),
                                            end.at("epoch").integer()),
                            null,
                            RecordBytes.EMPTY),
                    batches));
        }

        private static MetadataBatch batch(long offset, Val record) {
            boolean control = !record.at("kind").text().equals("data");
            return new MetadataBatch(
                    new BatchHeader(
                            offset,
                            0,
                            record.at("epoch").integer(),
                            1,
                            -1,
                            BatchHeader.NO_PRODUCER_ID,
                            BatchHeader.NO_PRODUCER_EPOCH,
                            BatchHeader.NO_SEQUENCE,
                            false,
                            control),
                    List.of());
        }

        @Override
        public boolean repeats() {
            return true;
        }
    }
}
