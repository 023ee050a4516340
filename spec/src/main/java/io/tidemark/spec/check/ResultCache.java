package io.tidemark.spec.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spec.tlc.TlcResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Results by the hash of all that went into them. A file that cannot be read is as if it were not there. */
final class ResultCache {
    /** A result and when it was found. */
    record Entry(Instant checkedAt, TlcResult result) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path dir;

    ResultCache(Path dir) {
        this.dir = dir;
    }

    @Nullable
    Entry find(String hash) {
        Path file = dir.resolve(hash + ".json");
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try {
            var document = JSON.readTree(file.toFile());
            return new Entry(
                    Instant.parse(document.path("checkedAt").asText()),
                    JSON.treeToValue(document.path("result"), TlcResult.class));
        } catch (IOException | DateTimeParseException | IllegalArgumentException e) {
            return null;
        }
    }

    void keep(String hash, Entry entry) {
        try {
            Files.createDirectories(dir);
            ObjectNode document =
                    JSON.createObjectNode().put("checkedAt", entry.checkedAt().toString());
            document.set("result", JSON.valueToTree(entry.result()));
            // Whole or not at all: another process may read it at this moment.
            Path part = Files.createTempFile(dir, hash, ".part");
            JSON.writeValue(part.toFile(), document);
            Files.move(part, dir.resolve(hash + ".json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Without a cache the next check takes its time again.
        }
    }
}
