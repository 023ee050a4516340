package io.tidemark.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Lists what was not tested because the machine lacks what it needs. The end-to-end tests of this module, the last one,
 * are the build's last: their list has the unit tests' too.
 */
public final class SkippedNeeds implements TestExecutionListener {
    private static final Path FILE = Path.of("target", "skipped-needs");

    private final Map<String, String> skipped = new LinkedHashMap<>();
    private boolean endToEnd;

    @Override
    public void executionStarted(TestIdentifier test) {
        endToEnd |= test.getLegacyReportingName().endsWith("IT");
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped.put(name(test), reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skipped.put(
                    name(test), result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
        }
    }

    /** With the class: a method's name alone says little. */
    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(source -> source.getJavaClass().getSimpleName() + "." + source.getMethodName())
                .orElse(test.getDisplayName());
    }

    List<String> lines() {
        return skipped.entrySet().stream()
                .map(test -> test.getKey() + ": "
                        + test.getValue().lines().findFirst().orElse("no reason given"))
                .toList();
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        List<String> lines = lines();
        try {
            List<String> before = endToEnd && Files.exists(FILE) ? Files.readAllLines(FILE) : List.of();
            if (!endToEnd) {
                Files.write(FILE, lines);
            }
            System.out.println(
                    report(Stream.concat(before.stream(), lines.stream()).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String report(List<String> lines) {
        return lines.isEmpty()
                ? "Not tested for want of something: nothing"
                : "Not tested for want of something:\n  " + String.join("\n  ", lines);
    }
}
