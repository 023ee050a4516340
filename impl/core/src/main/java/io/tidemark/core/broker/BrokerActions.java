package io.tidemark.core.broker;

import io.tidemark.core.Step;

/** The actions at the broker of the spec's module Controller, and its code-only inputs. */
public interface BrokerActions {
    Step<BrokerEffect> startRegistration(BrokerInput.StartRegistration input);

    Step<BrokerEffect> registrationTimeout(BrokerInput.RegistrationTimeout input);

    Step<BrokerEffect> handleBrokerRegistrationResponse(BrokerInput.HandleBrokerRegistrationResponse input);

    Step<BrokerEffect> handleBrokerHeartbeatResponse(BrokerInput.HandleBrokerHeartbeatResponse input);

    Step<BrokerEffect> heartbeatTimeout(BrokerInput.HeartbeatTimeout input);

    Step<BrokerEffect> metadataApplied(BrokerInput.MetadataApplied input);

    Step<BrokerEffect> requestShutdown(BrokerInput.RequestShutdown input);
}
