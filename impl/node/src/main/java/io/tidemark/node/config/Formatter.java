package io.tidemark.node.config;

import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.core.quorum.ReplicaKey;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.node.config.FormatOptions.UsageException;
import io.tidemark.storage.Base64Uuid;
import io.tidemark.storage.Disk;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.StorageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Prepares a node's directory, as Kafka's storage tool does: see {@link FormatOptions#USAGE}. */
public final class Formatter {
    private static final String DYNAMIC_WAYS = "--standalone, --initial-controllers or --no-initial-controllers";

    private final Disk disk;
    private final MetadataCodec codec;

    public Formatter(Disk disk, MetadataCodec codec) {
        this.disk = disk;
        this.codec = codec;
    }

    /**
     * Runs the tool.
     *
     * @return 0 done, 2 usage, 4 wrong file or directory, 5 directory not writable
     */
    public int run(String[] args, PrintStream out, PrintStream err) {
        try {
            FormatOptions options = FormatOptions.parse(args);
            if (options.help()) {
                out.print(FormatOptions.USAGE);
            } else if (options.randomId()) {
                out.println(Base64Uuid.encode(randomId()));
            } else {
                out.println(format(options));
            }
            return 0;
        } catch (UsageException e) {
            err.println("tidemark: format: " + e.getMessage());
            return 2;
        } catch (ConfigException e) {
            e.errors().forEach(error -> err.println("tidemark: " + error));
            return 4;
        } catch (StorageException e) {
            err.println("tidemark: " + e.path() + ": cannot be written: "
                    + (e.getCause() instanceof IOException cause ? IoReason.of(cause) : e.getMessage())
                    + "; a directory that can be written");
            return 5;
        }
    }

    /** One whose text does not begin with a dash, so that it can stand on a command line. */
    static UUID randomId() {
        UUID id = UUID.randomUUID();
        while (Base64Uuid.encode(id).startsWith("-")) {
            id = UUID.randomUUID();
        }
        return id;
    }

    private String format(FormatOptions options) throws UsageException, ConfigException {
        ServerConfig config = ServerConfig.load(Objects.requireNonNull(options.config()));
        String clusterId = Objects.requireNonNull(options.clusterId());
        Optional<VoterSet> voters = voters(options, config);
        SortedMap<String, Short> features = features(options, config);
        Optional<MetaProperties> before = LogDirIdentity.read(disk, config);
        if (before.isPresent()) {
            return alreadyFormatted(options, config, before.get(), clusterId);
        }
        UUID directoryId = voters.map(set -> set.voters().get(config.nodeId()))
                .map(voter -> voter.key().directoryId())
                .orElseGet(Formatter::randomId);
        Path root = config.logDir();
        Optional<RecordBytes> firstBatch = voters.map(set -> Bootstrap.voters(codec, set));
        try {
            disk.createDirectories(root);
            refuseToOverwrite(root, firstBatch);
            if (firstBatch.isPresent()) {
                Bootstrap.writeMetadataLog(disk, root, firstBatch.get());
            }
            Bootstrap.writeFeatures(disk, root, codec, features);
        } catch (IOException e) {
            throw new StorageException(root, "cannot be formatted", e);
        }
        // The last file: with it the directory counts as formatted.
        LogDirectory.format(disk, root, new MetaProperties(config.nodeId(), clusterId, directoryId));
        return "Formatted " + root + ": node " + config.nodeId() + ", cluster " + clusterId + ", directory "
                + Base64Uuid.encode(directoryId) + ", "
                + voters.map(VoterSet::toString).orElse("no initial voters") + ", features " + features;
    }

    private static String alreadyFormatted(
            FormatOptions options, ServerConfig config, MetaProperties meta, String clusterId) throws ConfigException {
        String where = config.logDir().toString();
        if (!options.ignoreFormatted()) {
            throw new ConfigException(
                    "FOREIGN", where, "is formatted already", "another log.dirs, or --ignore-formatted to leave it");
        }
        if (meta.nodeId() != config.nodeId() || !meta.clusterId().equals(clusterId)) {
            throw new ConfigException(
                    "FOREIGN",
                    where,
                    "is of node " + meta.nodeId() + " of cluster " + meta.clusterId(),
                    "node " + config.nodeId() + " of cluster " + clusterId);
        }
        return where + " is formatted already";
    }

    /** A metadata log without meta.properties is what a formatting left that was cut short, or somebody's data. */
    private void refuseToOverwrite(Path root, Optional<RecordBytes> firstBatch) throws IOException, ConfigException {
        Path segment = root.resolve(Bootstrap.METADATA_DIRECTORY).resolve(Bootstrap.FIRST_SEGMENT);
        if (disk.exists(segment)
                && !firstBatch.map(RecordBytes::buffer).equals(Optional.of(Bootstrap.read(disk, segment)))) {
            throw new ConfigException(
                    "FOREIGN",
                    root.toString(),
                    "has a metadata log but no meta.properties",
                    "an empty directory: move this one away");
        }
    }

    /** The voters to write; empty where the node joins a quorum, or has a static one. */
    private static Optional<VoterSet> voters(FormatOptions options, ServerConfig config) throws UsageException {
        if (!config.staticVoters().voters().isEmpty()) {
            if (options.standalone() || options.initialControllers() != null || options.noInitialControllers()) {
                throw new UsageException(
                        "controller.quorum.voters is set in " + config.file(), "it, or one of " + DYNAMIC_WAYS);
            }
            return Optional.empty();
        }
        if (options.standalone()) {
            return Optional.of(standalone(config));
        }
        String initial = options.initialControllers();
        if (initial != null) {
            return Optional.of(initialControllers(initial, config));
        }
        if (config.controller() && !options.noInitialControllers()) {
            throw new UsageException("a controller without controller.quorum.voters", "one of " + DYNAMIC_WAYS);
        }
        return Optional.empty();
    }

    private static VoterSet standalone(ServerConfig config) throws UsageException {
        if (!config.controller()) {
            throw new UsageException("--standalone on a node that is no controller", "process.roles with controller");
        }
        Endpoint endpoint = config.listeners().advertisedController().get(0);
        if (endpoint.port() == 0) {
            throw new UsageException("--standalone with a controller listener on port 0", "a fixed port");
        }
        return VoterSet.of(List.of(new VoterSet.Voter(new ReplicaKey(config.nodeId(), randomId()), List.of(endpoint))));
    }

    private static VoterSet initialControllers(String text, ServerConfig config) throws UsageException {
        List<VoterSet.Voter> voters = new ArrayList<>();
        for (String part : ConfigKey.list(text)) {
            voters.add(Listeners.voter(
                            part, config.listeners().controllerNames().get(0), true)
                    .orElseThrow(() -> new UsageException(
                            "--initial-controllers has " + part, "ID@HOST:PORT:DIRECTORY, separated by commas")));
        }
        try {
            return VoterSet.of(voters);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--initial-controllers: " + e.getMessage(), "each voter once");
        }
    }

    private static SortedMap<String, Short> features(FormatOptions options, ServerConfig config) throws UsageException {
        String release = options.releaseVersion();
        if (release != null && !Features.RELEASE.equals(release) && !release.matches("4\\.3(\\.\\d+)?")) {
            throw new UsageException("--release-version " + release, "4.3, whose metadata records are written here");
        }
        TreeMap<String, Short> levels = new TreeMap<>(Features.defaults());
        int kraftVersion = config.staticVoters().voters().isEmpty() ? 1 : 0;
        for (String feature : options.features()) {
            int equals = feature.indexOf('=');
            String name = feature.substring(0, Math.max(0, equals));
            FeatureRange range = name.equals(Features.KRAFT_VERSION)
                    ? new FeatureRange((short) kraftVersion, (short) kraftVersion)
                    : Features.supported().get(name);
            if (range == null) {
                throw new UsageException(
                        "--feature " + feature,
                        "NAME=LEVEL with a name of " + Features.supported().keySet() + " or " + Features.KRAFT_VERSION);
            }
            String level = feature.substring(equals + 1);
            if (!level.matches("\\d{1,4}")
                    || Short.parseShort(level) < range.min()
                    || Short.parseShort(level) > range.max()) {
                throw new UsageException(
                        "--feature " + feature, "a level from " + range.min() + " to " + range.max() + " here");
            }
            if (!name.equals(Features.KRAFT_VERSION)) {
                levels.put(name, Short.parseShort(level));
            }
        }
        return levels;
    }
}
