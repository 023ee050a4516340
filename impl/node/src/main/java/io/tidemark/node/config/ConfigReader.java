package io.tidemark.node.config;

import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.runtime.NodeSettings;
import io.tidemark.storage.LogConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Turns checked values into a configuration, and checks them against one another. */
final class ConfigReader {
    private final ConfigValues values;

    private ConfigReader(ConfigValues values) {
        this.values = values;
    }

    static ServerConfig read(PropertiesFile file) throws ConfigException {
        return new ConfigReader(new ConfigValues(file)).read(file.name());
    }

    private ServerConfig read(String file) throws ConfigException {
        List<String> roles = values.list("process.roles");
        boolean broker = roles.contains("broker");
        boolean controller = roles.contains("controller");
        int nodeId = values.number("node.id");
        if (values.number("broker.id") != -1 && values.number("broker.id") != nodeId) {
            values.wrongValue("broker.id", "the same number as node.id, " + nodeId + ", or nothing");
        }
        Path logDir = logDir();
        Listeners listeners = Listeners.read(values, broker, controller);
        List<Endpoint> bootstrap = bootstrap(listeners);
        VoterSet voters = voters(listeners, nodeId, controller);
        if (bootstrap.isEmpty() && voters.voters().isEmpty()) {
            values.error(
                    "MISSING_KEY",
                    "controller.quorum.bootstrap.servers",
                    "controller.quorum.bootstrap.servers is not set",
                    "HOST:PORT of some controllers, separated by commas");
        }
        checkTimes(broker);
        values.throwIfWrong();
        return new ServerConfig(
                file,
                nodeId,
                broker,
                controller,
                logDir,
                listeners,
                values.text("broker.rack"),
                bootstrap,
                voters,
                new ServerConfig.Defaults(values.number("num.partitions"), values.number("default.replication.factor")),
                quorum(),
                brokerTimes(),
                logTimes(),
                new LogConfig(
                        values.number("log.segment.bytes"),
                        values.number("log.index.interval.bytes"),
                        values.number("log.index.size.max.bytes"),
                        false),
                NetworkSettings.read(values),
                values.given(),
                warnings());
    }

    private Path logDir() {
        String key = values.isSet("log.dirs") ? "log.dirs" : "log.dir";
        List<String> directories = values.list(key);
        if (directories.size() != 1) {
            values.error(
                    directories.isEmpty() ? "BAD_VALUE" : "NOT_SERVED",
                    key,
                    key + " names " + directories.size() + " directories",
                    "exactly one: several are not served yet");
            return Path.of("");
        }
        try {
            Path directory = Path.of(directories.get(0)).toAbsolutePath().normalize();
            String metadata = values.text("metadata.log.dir");
            if (metadata != null
                    && !Path.of(metadata).toAbsolutePath().normalize().equals(directory)) {
                values.wrongValue("metadata.log.dir", "the same directory as " + key + ", or nothing");
            }
            return directory;
        } catch (InvalidPathException e) {
            values.wrongValue(key, "a directory");
            return Path.of("");
        }
    }

    private List<Endpoint> bootstrap(Listeners listeners) {
        String key = "controller.quorum.bootstrap.servers";
        List<Endpoint> servers = new ArrayList<>();
        for (String part : values.list(key)) {
            Optional<Endpoint> server =
                    Listeners.server(part, listeners.controllerNames().get(0));
            if (server.isEmpty()) {
                values.error("BAD_VALUE", key, key + " has " + part, "HOST:PORT, separated by commas");
            }
            server.ifPresent(servers::add);
        }
        return servers;
    }

    private VoterSet voters(Listeners listeners, int nodeId, boolean controller) {
        String key = "controller.quorum.voters";
        List<VoterSet.Voter> voters = new ArrayList<>();
        for (String part : values.list(key)) {
            Optional<VoterSet.Voter> voter =
                    Listeners.voter(part, listeners.controllerNames().get(0), false);
            if (voter.isEmpty()) {
                values.error("BAD_VALUE", key, key + " has " + part, "ID@HOST:PORT, separated by commas");
            } else if (voters.stream()
                    .anyMatch(other -> other.key().id() == voter.get().key().id())) {
                values.error("BAD_VALUE", key, key + " has " + voter.get().key().id() + " twice", "each voter once");
            } else {
                voters.add(voter.get());
            }
        }
        boolean named = voters.stream().anyMatch(voter -> voter.key().id() == nodeId);
        if (!voters.isEmpty() && !values.isWrong() && named != controller) {
            values.error(
                    "BAD_VALUE",
                    key,
                    key
                            + (named
                                    ? " has node " + nodeId + ", which is no controller"
                                    : " does not have node " + nodeId),
                    "the ids of all controllers and no other");
        }
        return values.isWrong() ? VoterSet.EMPTY : VoterSet.of(voters);
    }

    private void checkTimes(boolean broker) {
        if (!broker) {
            return;
        }
        atMost("broker.heartbeat.interval.ms", "broker.session.timeout.ms");
        atMost("replica.fetch.wait.max.ms", "replica.socket.timeout.ms");
        atMost("replica.fetch.wait.max.ms", "replica.lag.time.max.ms");
    }

    private void atMost(String key, String limit) {
        if (values.longNumber(key) > values.longNumber(limit)) {
            values.wrongValue(key, "at most " + limit + ", " + values.longNumber(limit));
        }
    }

    private NodeSettings.Quorum quorum() {
        return new NodeSettings.Quorum(
                values.number("controller.quorum.election.timeout.ms"),
                values.number("controller.quorum.fetch.timeout.ms"),
                values.number("controller.quorum.election.backoff.max.ms"),
                values.number("controller.quorum.request.timeout.ms"),
                values.number("controller.quorum.retry.backoff.ms"));
    }

    private NodeSettings.Broker brokerTimes() {
        return new NodeSettings.Broker(
                values.number("broker.session.timeout.ms"),
                values.number("broker.heartbeat.interval.ms"),
                values.longNumber("replica.lag.time.max.ms"),
                values.number("replica.fetch.wait.max.ms"),
                values.number("replica.fetch.max.bytes"),
                values.number("replica.fetch.backoff.ms"),
                values.number("replica.socket.timeout.ms"),
                values.number("request.timeout.ms"),
                values.number("initial.broker.registration.timeout.ms"),
                values.longNumber("replica.high.watermark.checkpoint.interval.ms"),
                TimeUnit.SECONDS.toMillis(values.longNumber("leader.imbalance.check.interval.seconds")),
                values.flag("auto.leader.rebalance.enable"),
                values.longNumber("unclean.leader.election.interval.ms"));
    }

    private NodeSettings.Logs logTimes() {
        return new NodeSettings.Logs(
                values.longNumber("log.flush.scheduler.interval.ms"),
                values.longNumber("log.flush.offset.checkpoint.interval.ms"),
                values.longNumber("log.flush.start.offset.checkpoint.interval.ms"),
                values.longNumber("producer.id.expiration.ms"),
                values.longNumber("producer.id.expiration.check.interval.ms"));
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!values.unused().isEmpty()) {
            warnings.add("Keys of Kafka that have no effect here: " + String.join(", ", values.unused()));
        }
        if (!values.unknown().isEmpty()) {
            warnings.add("Unknown keys: " + String.join(", ", values.unknown()));
        }
        if (!values.list("controller.quorum.voters").isEmpty()) {
            warnings.add(
                    "controller.quorum.voters is a static quorum: it cannot tell a voter that lost its disk from one"
                            + " that did not, and such a voter can elect a leader that lacks acknowledged records."
                            + " Prefer controller.quorum.bootstrap.servers and format with --standalone or --initial-controllers");
        }
        return warnings;
    }
}
