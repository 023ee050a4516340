package io.tidemark.storage;

import io.tidemark.core.quorum.QuorumStateData;
import io.tidemark.core.quorum.ReplicaKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code quorum-state}: what a voter must never forget, its epoch and vote. Kafka's JSON, version 1 (KIP-853). A file that
 * cannot be understood stops the voter: forgetting a vote could elect two leaders.
 */
public final class QuorumStateFile {
    /** Name in the directory of the metadata log. */
    public static final String NAME = "quorum-state";

    /** As the file names the candidate where no vote was given. */
    private static final ReplicaKey NOBODY = new ReplicaKey(-1, ReplicaKey.NO_DIRECTORY);

    private static final Pattern FIELD =
            Pattern.compile("\\s*\"(\\w{1,32})\"\\s*:\\s*(?:(-?\\d{1,19})|\"([\\w-]{0,64})\")\\s*(,|$)");

    private final Disk disk;
    private final Path file;

    public QuorumStateFile(Disk disk, Path metadataLogDirectory) {
        this.disk = disk;
        this.file = metadataLogDirectory.resolve(NAME);
    }

    /** Writes the state; durable on return, and the old state is kept if that fails. */
    public void write(QuorumStateData state) {
        ReplicaKey given = state.votedKey();
        ReplicaKey voted = given == null ? NOBODY : given;
        String json = "{\"leaderId\":" + state.leaderId() + ",\"leaderEpoch\":" + state.currentEpoch()
                + ",\"votedId\":" + voted.id() + ",\"votedDirectoryId\":\"" + Base64Uuid.encode(voted.directoryId())
                + "\",\"data_version\":1}";
        try {
            SmallFiles.replace(disk, file, json);
        } catch (IOException e) {
            throw new StorageException(file, "cannot be written", e);
        }
    }

    /**
     * The state; empty if none was ever written.
     *
     * @throws StorageException if the file cannot be read or is malformed
     */
    public Optional<QuorumStateData> read() {
        String text;
        try {
            if (!disk.exists(file)) {
                return Optional.empty();
            }
            text = SmallFiles.readText(disk, file).trim();
        } catch (IOException e) {
            throw new StorageException(file, "cannot be read", e);
        }
        Map<String, String> fields = fields(text);
        int version = number(fields, "data_version");
        if (version != 0 && version != 1) {
            throw malformed("data_version " + version + "; only 0 and 1 are supported");
        }
        ReplicaKey voted =
                new ReplicaKey(number(fields, "votedId"), version == 0 ? ReplicaKey.NO_DIRECTORY : directoryId(fields));
        return Optional.of(new QuorumStateData(
                number(fields, "leaderEpoch"), voted.id() < 0 ? null : voted, number(fields, "leaderId")));
    }

    /** A flat object of numbers and strings; version 0 ends with arrays, which nothing needs. */
    private Map<String, String> fields(String text) {
        if (!text.startsWith("{") || !text.endsWith("}")) {
            throw malformed("no JSON object");
        }
        String body =
                text.substring(1, text.length() - 1).replaceAll("\"currentVoters\"\\s*:\\s*(\\[[^]]*]|null)\\s*,?", "");
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(body);
        int at = 0;
        while (at < body.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw malformed("cannot be understood from character " + (at + 2));
            }
            fields.put(matcher.group(1), matcher.group(2) != null ? matcher.group(2) : matcher.group(3));
            at = matcher.end();
        }
        return fields;
    }

    private int number(Map<String, String> fields, String key) {
        String value = fields.get(key);
        try {
            if (value != null) {
                return Integer.parseInt(value);
            }
        } catch (NumberFormatException reportedBelow) {
            // The same message for both.
        }
        throw malformed(key + " is " + (value == null ? "missing" : value) + "; expected a number");
    }

    private UUID directoryId(Map<String, String> fields) {
        String value = fields.get("votedDirectoryId");
        try {
            if (value != null) {
                return Base64Uuid.decode(value);
            }
        } catch (IllegalArgumentException reportedBelow) {
            // The same message for both.
        }
        throw malformed(
                "votedDirectoryId is " + (value == null ? "missing" : value) + "; expected 22 characters of Base64");
    }

    private StorageException malformed(String why) {
        return new StorageException(
                file,
                "malformed: " + why
                        + "; expected {\"leaderId\":N,\"leaderEpoch\":N,\"votedId\":N,\"votedDirectoryId\":\"ID\","
                        + "\"data_version\":1}");
    }
}
