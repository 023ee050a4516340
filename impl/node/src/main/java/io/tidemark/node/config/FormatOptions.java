package io.tidemark.node.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the format tool; names are those of Kafka's storage tool.
 *
 * @param features {@code NAME=LEVEL} each
 * @param randomId print a new id and do nothing else
 */
record FormatOptions(
        boolean help,
        boolean randomId,
        @Nullable String clusterId,
        @Nullable Path config,
        boolean standalone,
        boolean noInitialControllers,
        @Nullable String initialControllers,
        List<String> features,
        boolean ignoreFormatted,
        @Nullable String releaseVersion) {
    static final String USAGE = """
            usage: format --cluster-id ID --config FILE [options]
                   format random-uuid

              -t, --cluster-id ID            id of the cluster, the same on all its nodes
              -c, --config FILE              the node's server.properties
              -s, --standalone               a quorum of this controller alone
              -I, --initial-controllers ID@HOST:PORT:DIRECTORY,...
                                             the voters of a new quorum, the same on all of them
              -N, --no-initial-controllers   a node that joins a quorum which exists
              -f, --feature NAME=LEVEL       level of a feature (repeatable)
              -r, --release-version VERSION  release whose levels a new cluster starts with
              -g, --ignore-formatted         nothing to do is no error

            example: format --cluster-id $(format random-uuid) --config server.properties --standalone
            exit codes: 0 done, 2 usage, 4 wrong file or directory, 5 directory not writable
            """;

    private static final Map<String, String> SHORT = Map.of(
            "-t", "--cluster-id",
            "-c", "--config",
            "-s", "--standalone",
            "-I", "--initial-controllers",
            "-N", "--no-initial-controllers",
            "-f", "--feature",
            "-r", "--release-version",
            "-g", "--ignore-formatted",
            "-h", "--help");

    /** @throws UsageException where the command line is wrong in itself */
    static FormatOptions parse(String[] args) throws UsageException {
        Cursor cursor = new Cursor(args);
        boolean help = false;
        boolean randomId = false;
        String clusterId = null;
        Path config = null;
        boolean standalone = false;
        boolean noInitial = false;
        String initial = null;
        List<String> features = new ArrayList<>();
        boolean ignore = false;
        String release = null;
        while (cursor.next()) {
            switch (cursor.option) {
                case "random-uuid" -> randomId = true;
                case "--help" -> help = true;
                case "--cluster-id" -> clusterId = cursor.value();
                case "--config" -> config = Path.of(cursor.value());
                case "--standalone" -> standalone = true;
                case "--no-initial-controllers" -> noInitial = true;
                case "--initial-controllers" -> initial = cursor.value();
                case "--feature" -> features.add(cursor.value());
                case "--ignore-formatted" -> ignore = true;
                case "--release-version" -> release = cursor.value();
                default -> throw new UsageException("unknown option " + cursor.option, "see format --help");
            }
            cursor.noValueLeft();
        }
        if ((standalone ? 1 : 0) + (noInitial ? 1 : 0) + (initial == null ? 0 : 1) > 1) {
            throw new UsageException(
                    "--standalone, --initial-controllers and --no-initial-controllers exclude one another",
                    "one of them");
        }
        if (!help && !randomId && (clusterId == null || config == null)) {
            throw new UsageException(
                    (clusterId == null ? "--cluster-id" : "--config") + " is missing", "see format --help");
        }
        if (clusterId != null && !clusterId.matches("[!-~]{1,128}")) {
            throw new UsageException("--cluster-id " + clusterId, "1 to 128 characters, as random-uuid prints");
        }
        return new FormatOptions(
                help, randomId, clusterId, config, standalone, noInitial, initial, features, ignore, release);
    }

    /** Walks over {@code --name value} and {@code --name=value}. */
    private static final class Cursor {
        private final String[] args;
        private int at;
        private String option = "";
        private @Nullable String attached;

        Cursor(String[] args) {
            this.args = args;
        }

        boolean next() {
            if (at == args.length) {
                return false;
            }
            String arg = args[at++];
            int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
            attached = equals < 0 ? null : arg.substring(equals + 1);
            String name = equals < 0 ? arg : arg.substring(0, equals);
            option = SHORT.getOrDefault(name, name);
            return true;
        }

        String value() throws UsageException {
            String value = attached;
            attached = null;
            if (value == null && at < args.length) {
                value = args[at++];
            }
            if (value == null || value.isEmpty()) {
                throw new UsageException(option + " has no value", "see format --help");
            }
            return value;
        }

        void noValueLeft() throws UsageException {
            if (attached != null) {
                throw new UsageException(option + "=" + attached, option + " takes no value");
            }
        }
    }

    /** A wrong command line: exit code 2. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String what, String expected) {
            super(what + "; " + expected);
        }
    }
}
