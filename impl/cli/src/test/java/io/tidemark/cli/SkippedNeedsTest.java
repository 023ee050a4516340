package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedNeedsTest {
    /** Not found by the build: its name is no test's. */
    static final class Needy {
        @Test
        @Disabled("needs a second machine")
        void disabled() {}

        @Test
        void aborts() {
            abort("needs root");
        }

        @Test
        void runs() {}
    }

    private static TestExecutionListener withoutReport(TestExecutionListener listener) {
        return new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                listener.executionSkipped(test, reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                listener.executionFinished(test, result);
            }
        };
    }

    @Test
    void namesEachTestAndWhatItNeeds() {
        SkippedNeeds listener = new SkippedNeeds();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Needy.class))
                .build();
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(request, withoutReport(listener));
        assertThat(listener.lines())
                .containsExactlyInAnyOrder("Needy.disabled: needs a second machine", "Needy.aborts: needs root");
        assertThat(SkippedNeeds.report(List.of())).isEqualTo("Not tested for want of something: nothing");
        assertThat(SkippedNeeds.report(List.of("a: b"))).isEqualTo("Not tested for want of something:\n  a: b");
    }
}
