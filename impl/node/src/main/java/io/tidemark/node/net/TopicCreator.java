package io.tidemark.node.net;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.message.ClientRequest;
import io.tidemark.core.message.ClientResponse;
import io.tidemark.runtime.NodeApi;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the topics that clients asked about ({@code auto.create.topics.enable}); the client asks again until they are there. */
final class TopicCreator {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCreator.class);
    private static final int TIMEOUT_MS = 30_000;

    /** Topics in the making; further ones wait until a client asks again. */
    private static final int MAX_IN_FLIGHT = 1000;

    private final NodeApi api;
    private final Set<String> inFlight = ConcurrentHashMap.newKeySet();

    TopicCreator(NodeApi api) {
        this.api = api;
    }

    /** From any thread. What is in the making already is not asked for twice. */
    void create(List<String> names) {
        List<String> fresh = names.stream()
                .filter(name -> inFlight.size() < MAX_IN_FLIGHT && inFlight.add(name))
                .toList();
        if (fresh.isEmpty()) {
            return;
        }
        List<ControllerRequest.NewTopic> topics = fresh.stream()
                .map(name -> new ControllerRequest.NewTopic(name, -1, (short) -1, null, new TreeMap<>()))
                .toList();
        boolean accepted = api.client(
                new ClientRequest.Admin(new ControllerRequest.CreateTopics(topics, false, List.of(), 0), TIMEOUT_MS),
                answer -> {
                    fresh.forEach(inFlight::remove);
                    log(fresh, answer);
                });
        if (!accepted) {
            fresh.forEach(inFlight::remove);
        }
    }

    private static void log(List<String> names, ClientResponse answer) {
        ControllerResponse response =
                answer instanceof ClientResponse.Administered administered ? administered.response() : null;
        if (response instanceof ControllerResponse.CreatedTopics created) {
            created.topics().stream()
                    .filter(topic -> topic.error() != ErrorCode.NONE && topic.error() != ErrorCode.TOPIC_ALREADY_EXISTS)
                    .forEach(topic ->
                            LOG.info("Topic {} was not made: {} {}", topic.name(), topic.error(), topic.message()));
        } else {
            LOG.info("Topics {} were not made: {}", names, response);
        }
    }
}
