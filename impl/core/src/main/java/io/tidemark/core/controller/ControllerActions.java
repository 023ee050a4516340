package io.tidemark.core.controller;

import io.tidemark.core.Step;

/** The actions of the spec's module Controller that the controller takes, and its code-only inputs. */
public interface ControllerActions {
    Step<ControllerEffect> activate(ControllerInput.Activate input);

    Step<ControllerEffect> deactivate(ControllerInput.Deactivate input);

    Step<ControllerEffect> handleBrokerRegistration(ControllerInput.HandleBrokerRegistration input);

    Step<ControllerEffect> handleBrokerHeartbeat(ControllerInput.HandleBrokerHeartbeat input);

    Step<ControllerEffect> brokerSessionTimeout(ControllerInput.BrokerSessionTimeout input);

    Step<ControllerEffect> handleAlterPartition(ControllerInput.HandleAlterPartition input);

    Step<ControllerEffect> handleElectLeaders(ControllerInput.HandleElectLeaders input);

    Step<ControllerEffect> preferredLeaderTimeout(ControllerInput.PreferredLeaderTimeout input);

    Step<ControllerEffect> uncleanElectionTimeout(ControllerInput.UncleanElectionTimeout input);

    Step<ControllerEffect> handleAlterMinIsr(ControllerInput.HandleAlterMinIsr input);

    Step<ControllerEffect> handleAlterConfigs(ControllerInput.HandleAlterConfigs input);

    Step<ControllerEffect> commitMetadata(ControllerInput.CommitMetadata input);

    Step<ControllerEffect> handleCreateTopics(ControllerInput.HandleCreateTopics input);

    Step<ControllerEffect> handleDeleteTopics(ControllerInput.HandleDeleteTopics input);

    Step<ControllerEffect> handleCreatePartitions(ControllerInput.HandleCreatePartitions input);

    Step<ControllerEffect> handleUpdateFeatures(ControllerInput.HandleUpdateFeatures input);

    Step<ControllerEffect> handleAllocateProducerIds(ControllerInput.HandleAllocateProducerIds input);

    Step<ControllerEffect> handleControllerRegistration(ControllerInput.HandleControllerRegistration input);
}
