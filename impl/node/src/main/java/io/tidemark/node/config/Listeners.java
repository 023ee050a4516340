package io.tidemark.node.config;

import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.Base64Uuid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node listens, and where others are told to find it.
 *
 * @param bound what to bind; an empty host is every interface, port 0 any free port
 * @param advertisedBroker what the broker tells; port 0 stands for the port bound
 * @param advertisedController what the controller tells
 * @param controllerNames {@code controller.listener.names}
 * @param interBroker name of the listener that brokers use
 */
public record Listeners(
        List<Endpoint> bound,
        List<Endpoint> advertisedBroker,
        List<Endpoint> advertisedController,
        List<String> controllerNames,
        String interBroker) {
    private static final Pattern LISTENER =
            Pattern.compile("([^:/\\s]+)://(\\[[^\\]\\s]+\\]|[^:\\[\\]\\s/]*):(\\d{1,5})");
    private static final Pattern SERVER = Pattern.compile("(\\[[^\\]\\s]+\\]|[^:\\[\\]\\s/@]+):(\\d{1,5})");
    private static final Pattern VOTER = Pattern.compile("(\\d{1,10})@(.+)");
    private static final Pattern VOTER_WITH_DIRECTORY = Pattern.compile("(\\d{1,10})@(.+):([A-Za-z0-9_-]{22})");
    private static final String LISTENER_FORM = "NAME://HOST:PORT, separated by commas";

    static Listeners read(ConfigValues values, boolean broker, boolean controller) {
        List<String> controllerNames = values.list("controller.listener.names").stream()
                .map(name -> name.toUpperCase(Locale.ROOT))
                .toList();
        String interBroker = Objects.requireNonNullElse(values.text("inter.broker.listener.name"), "PLAINTEXT")
                .toUpperCase(Locale.ROOT);
        List<Endpoint> bound = parse(values, "listeners");
        List<Endpoint> advertised =
                values.isSet("advertised.listeners") ? parse(values, "advertised.listeners") : List.of();
        checkProtocols(values, bound, controllerNames);
        if (!values.isWrong()) {
            checkRoles(values, bound, advertised, controllerNames, interBroker, broker, controller);
        }
        boolean advertisesBroker = advertised.stream().anyMatch(e -> !controllerNames.contains(e.listener()));
        boolean advertisesController = advertised.stream().anyMatch(e -> controllerNames.contains(e.listener()));
        return new Listeners(
                bound,
                broker ? told(advertisesBroker ? advertised : bound, controllerNames, false) : List.of(),
                controller ? told(advertisesController ? advertised : bound, controllerNames, true) : List.of(),
                controllerNames,
                interBroker);
    }

    private static List<Endpoint> told(List<Endpoint> from, List<String> controllerNames, boolean controllers) {
        return from.stream()
                .filter(endpoint -> controllerNames.contains(endpoint.listener()) == controllers)
                .map(endpoint -> endpoint.host().isEmpty() || endpoint.host().equals("0.0.0.0")
                        ? new Endpoint(endpoint.listener(), localHost(), endpoint.port())
                        : endpoint)
                .toList();
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static List<Endpoint> parse(ConfigValues values, String key) {
        List<Endpoint> endpoints = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        for (String part : values.list(key)) {
            Matcher matcher = LISTENER.matcher(part);
            if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > 0xffff) {
                values.error("BAD_VALUE", key, key + " has " + part, LISTENER_FORM);
                continue;
            }
            String name = matcher.group(1).toUpperCase(Locale.ROOT);
            int port = Integer.parseInt(matcher.group(3));
            if (!names.add(name)) {
                values.error("BAD_VALUE", key, key + " names " + name + " twice", "each listener once");
            }
            if (key.equals("listeners") && port != 0 && !ports.add(port)) {
                values.error("BAD_VALUE", key, key + " has port " + port + " twice", "a port for each listener");
            }
            if (key.equals("advertised.listeners") && matcher.group(2).equals("0.0.0.0")) {
                values.error("BAD_VALUE", key, key + " has " + part, "a host that others can connect to");
            }
            endpoints.add(new Endpoint(name, host(matcher.group(2)), port));
        }
        if (endpoints.isEmpty() && !values.isWrong()) {
            values.error("BAD_VALUE", key, key + " is empty", LISTENER_FORM);
        }
        return endpoints;
    }

    private static String host(String text) {
        return text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
    }

    private static void checkProtocols(ConfigValues values, List<Endpoint> bound, List<String> controllerNames) {
        String key = "listener.security.protocol.map";
        Set<String> plain = new TreeSet<>(Set.of("PLAINTEXT"));
        if (values.isSet(key)) {
            for (String part : values.list(key)) {
                int colon = part.indexOf(':');
                if (colon <= 0) {
                    values.error("BAD_VALUE", key, key + " has " + part, "NAME:PROTOCOL, separated by commas");
                } else if (part.substring(colon + 1).equalsIgnoreCase("PLAINTEXT")) {
                    plain.add(part.substring(0, colon).toUpperCase(Locale.ROOT));
                }
            }
        } else {
            plain.addAll(controllerNames);
        }
        for (Endpoint endpoint : bound) {
            if (!plain.contains(endpoint.listener())) {
                values.error(
                        values.isSet(key) ? "NOT_SERVED" : "BAD_VALUE",
                        values.isSet(key) ? key : "listeners",
                        "listener " + endpoint.listener() + " is not mapped to PLAINTEXT",
                        "only PLAINTEXT is served: " + key + " with " + endpoint.listener() + ":PLAINTEXT");
            }
        }
    }

    private static void checkRoles(
            ConfigValues values,
            List<Endpoint> bound,
            List<Endpoint> advertised,
            List<String> controllerNames,
            String interBroker,
            boolean broker,
            boolean controller) {
        Set<String> names = new TreeSet<>();
        bound.forEach(endpoint -> names.add(endpoint.listener()));
        String key = "listeners";
        if (controller && controllerNames.stream().noneMatch(names::contains)) {
            values.error("BAD_VALUE", key, "no listener of the controller", "one of " + controllerNames);
        }
        if (broker && controllerNames.containsAll(names)) {
            values.error(
                    "BAD_VALUE", key, "no listener of the broker", "one that controller.listener.names does not name");
        }
        for (String name : names) {
            if (controller && !broker && !controllerNames.contains(name)) {
                values.error(
                        "BAD_VALUE",
                        key,
                        "listener " + name + " on a node that is a controller only",
                        "listeners that controller.listener.names has");
            }
            if (broker && !controller && controllerNames.contains(name)) {
                values.error(
                        "BAD_VALUE",
                        key,
                        "listener " + name + " of the controller on a node that is a broker only",
                        "listeners that controller.listener.names does not have");
            }
        }
        for (Endpoint endpoint : advertised) {
            if (!names.contains(endpoint.listener())) {
                values.error(
                        "BAD_VALUE",
                        "advertised.listeners",
                        "listener " + endpoint.listener() + " is not bound",
                        "names that listeners has: " + names);
            }
        }
        List<Endpoint> told =
                advertised.stream().anyMatch(e -> !controllerNames.contains(e.listener())) ? advertised : bound;
        if (broker && told.stream().noneMatch(endpoint -> endpoint.listener().equals(interBroker))) {
            values.error(
                    "BAD_VALUE",
                    values.isSet("inter.broker.listener.name") ? "inter.broker.listener.name" : key,
                    "inter.broker.listener.name is " + interBroker + ", which is not advertised",
                    "one of " + told.stream().map(Endpoint::listener).toList());
        }
        if (controllerNames.contains(interBroker)) {
            values.error(
                    "BAD_VALUE",
                    "controller.listener.names",
                    "it names " + interBroker + ", the listener between brokers",
                    "a listener that only controllers have");
        }
    }

    /** {@code HOST:PORT}, empty where it is not. */
    static Optional<Endpoint> server(String text, String listener) {
        Matcher matcher = SERVER.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int port = Integer.parseInt(matcher.group(2));
        return port < 1 || port > 0xffff
                ? Optional.empty()
                : Optional.of(new Endpoint(listener, host(matcher.group(1)), port));
    }

    /** {@code ID@HOST:PORT}, or with a directory id {@code ID@HOST:PORT:DIRECTORY}; empty where it is not. */
    static Optional<VoterSet.Voter> voter(String text, String listener, boolean withDirectory) {
        Matcher matcher = (withDirectory ? VOTER_WITH_DIRECTORY : VOTER).matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        int id = Integer.parseInt(matcher.group(1));
        UUID directory = withDirectory ? Base64Uuid.decode(matcher.group(3)) : ReplicaKey.NO_DIRECTORY;
        return server(matcher.group(2), listener)
                .map(endpoint -> new VoterSet.Voter(new ReplicaKey(id, directory), List.of(endpoint)));
    }
}
