package io.tidemark.core.controller;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The active controller, the spec's module Controller. It decides over the metadata with its own uncommitted records
 * included; its answers leave only once what they may depend on is committed. A core serves one term: after {@link
 * ControllerInput.Deactivate} it refuses everything, and the next term has a core of its own over the committed metadata.
 */
public final class ControllerCore implements ControllerActions {
    private final ControllerState state;
    private final Registrations registrations;
    private final Heartbeats heartbeats;
    private final IsrChanges isrChanges;
    private final LeaderChanges leaderChanges;
    private final TopicCreation topicCreation;
    private final TopicChanges topicChanges;
    private final ConfigChanges configChanges;
    private final FeatureChanges featureChanges;

    /**
     * Not active yet.
     *
     * @param metadata all committed records folded; from now on this core's own
     */
    public ControllerCore(ControllerConfig config, MetadataState metadata) {
        this(new ControllerState(config, metadata));
    }

    /** In the midst of its term: what a test starts from. */
    ControllerCore(ControllerState state) {
        this.state = state;
        registrations = new Registrations(state);
        heartbeats = new Heartbeats(state);
        isrChanges = new IsrChanges(state);
        leaderChanges = new LeaderChanges(state);
        topicCreation = new TopicCreation(state);
        topicChanges = new TopicChanges(state);
        configChanges = new ConfigChanges(state);
        featureChanges = new FeatureChanges(state);
    }

    public Step<ControllerEffect> apply(ControllerInput input) {
        return input.applyTo(this);
    }

    public ControllerView view() {
        return state;
    }

    /**
     * Gives every unfenced broker a fresh session, since this controller has not heard of any; ends a transaction that a
     * predecessor left open; on empty metadata writes the cluster's first records.
     */
    @Override
    public Step<ControllerEffect> activate(ControllerInput.Activate input) {
        if (state.active || input.nextOffset() <= state.metadata.appliedOffset() || input.epoch() <= state.epoch) {
            throw new IllegalStateException("can not become active with " + input + " in epoch " + state.epoch
                    + ", applied up to " + state.metadata.appliedOffset());
        }
        state.active = true;
        state.epoch = input.epoch();
        state.nextOffset = input.nextOffset();
        state.metaHw = input.nextOffset();
        List<ControllerEffect> effects = new ArrayList<>();
        if (state.metadata.inTransaction()) {
            state.append(
                    List.of(new MetadataRecord.AbortTransaction("the controller that began it lost leadership")),
                    effects);
        }
        if (!state.metadata.features().containsKey(Registrations.METADATA_VERSION)) {
            state.append(registrations.bootstrap(), effects);
        }
        for (BrokerRegistration broker : state.metadata.brokers().values()) {
            if (!broker.fenced()) {
                state.sessions.renew(broker.id());
                effects.add(new ControllerEffect.SetSession(broker.id()));
            }
        }
        return Step.stutter(effects);
    }

    @Override
    public Step<ControllerEffect> deactivate(ControllerInput.Deactivate input) {
        List<ControllerEffect> effects = new ArrayList<>();
        for (int broker : state.metadata.brokers().keySet()) {
            if (state.sessions.end(broker)) {
                effects.add(new ControllerEffect.CancelSession(broker));
            }
        }
        state.active = false;
        return Step.stutter(effects);
    }

    @Override
    public Step<ControllerEffect> commitMetadata(ControllerInput.CommitMetadata input) {
        if (input.hw() <= state.metaHw) {
            return Step.stutter(List.of());
        }
        state.metaHw = input.hw();
        return Step.of(SpecAction.CommitMetadata, List.of());
    }

    @Override
    public Step<ControllerEffect> handleBrokerRegistration(ControllerInput.HandleBrokerRegistration input) {
        return ifActive(input.token(), () -> registrations.handleBrokerRegistration(input));
    }

    @Override
    public Step<ControllerEffect> handleBrokerHeartbeat(ControllerInput.HandleBrokerHeartbeat input) {
        return ifActive(input.token(), () -> heartbeats.handleBrokerHeartbeat(input));
    }

    @Override
    public Step<ControllerEffect> brokerSessionTimeout(ControllerInput.BrokerSessionTimeout input) {
        return state.active ? heartbeats.brokerSessionTimeout(input) : Step.stutter(List.of());
    }

    @Override
    public Step<ControllerEffect> handleAlterPartition(ControllerInput.HandleAlterPartition input) {
        return ifActive(input.token(), () -> isrChanges.handleAlterPartition(input));
    }

    @Override
    public Step<ControllerEffect> handleElectLeaders(ControllerInput.HandleElectLeaders input) {
        return ifActive(input.token(), () -> leaderChanges.handleElectLeaders(input));
    }

    @Override
    public Step<ControllerEffect> preferredLeaderTimeout(ControllerInput.PreferredLeaderTimeout input) {
        return state.active ? leaderChanges.preferredLeaderTimeout() : Step.stutter(List.of());
    }

    @Override
    public Step<ControllerEffect> uncleanElectionTimeout(ControllerInput.UncleanElectionTimeout input) {
        return state.active ? leaderChanges.uncleanElectionTimeout() : Step.stutter(List.of());
    }

    @Override
    public Step<ControllerEffect> handleAlterMinIsr(ControllerInput.HandleAlterMinIsr input) {
        return ifActive(
                input.token(),
                () -> configChanges.handle(SpecAction.HandleAlterMinIsr, input.request(), input.token()));
    }

    @Override
    public Step<ControllerEffect> handleAlterConfigs(ControllerInput.HandleAlterConfigs input) {
        return ifActive(input.token(), () -> configChanges.handle(null, input.request(), input.token()));
    }

    @Override
    public Step<ControllerEffect> handleCreateTopics(ControllerInput.HandleCreateTopics input) {
        return ifActive(input.token(), () -> topicCreation.handleCreateTopics(input));
    }

    @Override
    public Step<ControllerEffect> handleDeleteTopics(ControllerInput.HandleDeleteTopics input) {
        return ifActive(input.token(), () -> topicChanges.handleDeleteTopics(input));
    }

    @Override
    public Step<ControllerEffect> handleCreatePartitions(ControllerInput.HandleCreatePartitions input) {
        return ifActive(input.token(), () -> topicChanges.handleCreatePartitions(input));
    }

    @Override
    public Step<ControllerEffect> handleUpdateFeatures(ControllerInput.HandleUpdateFeatures input) {
        return ifActive(input.token(), () -> featureChanges.handleUpdateFeatures(input));
    }

    @Override
    public Step<ControllerEffect> handleAllocateProducerIds(ControllerInput.HandleAllocateProducerIds input) {
        return ifActive(input.token(), () -> featureChanges.handleAllocateProducerIds(input));
    }

    @Override
    public Step<ControllerEffect> handleControllerRegistration(ControllerInput.HandleControllerRegistration input) {
        return ifActive(input.token(), () -> registrations.handleControllerRegistration(input));
    }

    /** The runtime has no core before and after a term and refuses by itself; others that drive a core rely on this. */
    private Step<ControllerEffect> ifActive(ReplyToken token, Supplier<Step<ControllerEffect>> handler) {
        if (state.active) {
            return handler.get();
        }
        ControllerResponse refused = new ControllerResponse.Refused(ErrorCode.NOT_CONTROLLER, null);
        return Step.stutter(List.of(new ControllerEffect.Reply(token, refused, Requires.NOTHING)));
    }
}
