package io.tidemark.needs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The end of a build, after the last end-to-end test: lists what no module tested. {@code -Dtidemark.may-lack=NEED,...}
 * makes it fail where anything else was missing.
 */
class SkippedNeedsCheck {
    @Test
    void allThatIsNeededWasThere() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("tidemark.root"), "tidemark.root"));
        String started = Objects.requireNonNull(System.getProperty("tidemark.started"), "tidemark.started");
        SkippedNeeds skipped = SkippedNeeds.of(root, Instant.parse(started));
        System.out.println(skipped);
        String spared = System.getProperty("tidemark.may-lack");
        if (spared != null) {
            assertThat(skipped.failures(List.of(spared.split(",", -1))))
                    .as("tests skipped for want of something other than %s", spared)
                    .isEmpty();
        }
    }
}
