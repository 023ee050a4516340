package io.tidemark.conformance.quorum;

import io.tidemark.conformance.states.Call;
import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.conformance.world.Adapter;
import io.tidemark.conformance.world.Trial;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.quorum.QuorumInput;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.core.quorum.QuorumView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The actions of module Quorum, for models whose voters stay the same and that make no snapshots: timers, appends, flushes, and
 * the announcements of leaders are here, votes and fetches have classes of their own.
 */
public final class QuorumAdapters {
    private QuorumAdapters() {}

    /** The adapters of all actions. */
    public static List<Adapter> all(Guards guards) {
        return all(QuorumStart.anew(guards));
    }

    static List<Adapter> all(QuorumStart.Cores cores) {
        List<Adapter> all = new ArrayList<>(List.of(
                alone(cores, SpecAction.ElectionTimeout, "v", "timeout", view -> new QuorumInput.ElectionTimeout()),
                alone(cores, SpecAction.FetchTimeout, "v", "timeout", view -> new QuorumInput.FetchTimeout()),
                alone(
                        cores,
                        SpecAction.CheckQuorumTimeout,
                        "l",
                        "resign",
                        view -> new QuorumInput.CheckQuorumTimeout()),
                alone(cores, SpecAction.Resign, "l", "resign", view -> new QuorumInput.Resign()),
                alone(
                        cores,
                        SpecAction.AppendMetadata,
                        "l",
                        "append",
                        view -> new QuorumInput.AppendMetadata(
                                view.currentEpoch(), view.log().endOffset(), 1, RecordBytes.EMPTY)),
                alone(
                        cores,
                        SpecAction.PersistMetadata,
                        "v",
                        null,
                        view -> new QuorumInput.PersistMetadata(view.log().endOffset())),
                new News(SpecAction.HandleBeginQuorumEpoch, "Leader", "begin", cores),
                new News(SpecAction.HandleEndQuorumEpoch, "Resigned", "end", cores)));
        all.addAll(VoteAdapters.all(cores));
        all.addAll(MetadataFetchAdapters.all(cores));
        return all;
    }

    /**
     * An input that no other node sends.
     *
     * @param budget that bounds it in the models; null for none
     */
    private static Adapter alone(
            QuorumStart.Cores cores,
            SpecAction action,
            String parameter,
            @Nullable String budget,
            Function<QuorumView, QuorumInput> input) {
        return new Adapter(action) {
            @Override
            public @Nullable Trial trial(State state, Call instance) {
                String node = instance.arg(parameter).text();
                boolean spent = budget != null && state.get("budget", budget).integer() == 0;
                if (spent || !Nodes.up(state, node)) {
                    return null;
                }
                QuorumTrial trial = new QuorumTrial(state, node, cores);
                return trial.input(input.apply(trial.view()));
            }

            /** A round that begins again. */
            @Override
            public boolean repeats() {
                return action() == SpecAction.ElectionTimeout;
            }
        };
    }

    /** BeginQuorumEpoch, EndQuorumEpoch: of each the epoch is told. */
    private static final class News extends QuorumRequest<Integer> {
        private final String role;

        News(SpecAction action, String role, String kind, QuorumStart.Cores cores) {
            super(action, kind, "v", "l", cores);
            this.role = role;
        }

        @Override
        public @Nullable Integer live(State state, String from, String to) {
            return state.get("role", from).text().equals(role)
                    ? state.get("currentEpoch", from).integer()
                    : null;
        }

        @Override
        public Integer late(Val ghost) {
            return ghost.at("epoch").integer();
        }

        @Override
        public Map<String, Val> kept(Integer epoch) {
            return Map.of("epoch", Val.of(epoch));
        }

        @Override
        public QuorumTrial asked(QuorumTrial trial, Integer epoch, boolean late, String from, String to) {
            int leader = Nodes.id(from);
            return trial.input(
                    action() == SpecAction.HandleBeginQuorumEpoch
                            ? new QuorumInput.HandleBeginQuorumEpoch(
                                    new QuorumMessage.BeginQuorumEpoch(
                                            Nodes.CLUSTER, epoch, leader, Nodes.voter(to), Nodes.endpoints(leader)),
                                    QuorumTrial.TOKEN)
                            : new QuorumInput.HandleEndQuorumEpoch(
                                    new QuorumMessage.EndQuorumEpoch(
                                            Nodes.CLUSTER, epoch, leader, List.of(), Nodes.endpoints(leader)),
                                    QuorumTrial.TOKEN));
        }
    }
}
