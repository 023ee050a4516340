package io.tidemark.spec.tlc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Tiny;
import io.tidemark.spec.check.CheckResult;
import io.tidemark.spec.check.Checker;
import io.tidemark.spec.model.Model;
import io.tidemark.spec.tlc.TlcResult.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What TLC says may be cut off although it ends with status 0: wherever that is, nothing is known. */
class TruncatedOutputTest {
    @TempDir
    Path dir;

    /** All that TLC prints about a model. */
    private List<String> said(Model model) throws IOException, InterruptedException {
        TlcCommand command = new Checker(Tiny.modules(), Tiny.options(), dir).command(model);
        command.makeDirectories();
        Path out = dir.resolve("out");
        new ProcessBuilder(command.line())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        TlcProcess.delete(command.work());
        return Files.readAllLines(out);
    }

    private static TlcResult judged(List<String> lines) {
        TlcOutput output = new TlcOutput(false, line -> {});
        lines.forEach(output::line);
        return output.result(0, null, null, 1);
    }

    private static void cutAnywhere(List<String> lines, Verdict whole) {
        assertThat(judged(lines).verdict()).isEqualTo(whole);
        for (int kept = 0; kept < lines.size(); kept++) {
            assertThat(judged(lines.subList(0, kept)).verdict())
                    .as("%s of %s lines", kept, lines.size())
                    .isEqualTo(Verdict.INCOMPLETE);
        }
    }

    @Test
    void aPassIsOneOnlyWithItsLastLine() throws IOException, InterruptedException {
        cutAnywhere(said(Tiny.model("Counter")), Verdict.PASSED);
    }

    @Test
    void aViolationIsOneOnlyWithItsLastLine() throws IOException, InterruptedException {
        cutAnywhere(said(Tiny.checking("Counter", "ReachBoth")), Verdict.VIOLATED);
    }

    /** A middle that is gone takes the completion message or the figures with it. */
    @Test
    void aPassNeedsItsCompletionAndItsFigures() throws IOException, InterruptedException {
        List<String> lines = said(Tiny.model("Counter"));
        for (String code : List.of(" 2193:", " 2199:", " 2186:")) {
            assertThat(lines).anyMatch(line -> line.contains(code));
            List<String> without = lines.stream()
                    .map(line -> line.contains(code) ? line.replace(code, " 2185:") : line)
                    .toList();
            assertThat(judged(without).verdict()).as("without" + code).isEqualTo(Verdict.INCOMPLETE);
        }
    }

    /** A TLC that prints what it is given and ends with status 0. */
    private TlcJar saying(List<String> lines) throws IOException {
        Path text = Files.write(dir.resolve("said"), lines);
        Path source = Files.createDirectories(dir.resolve("tlc2")).resolve("TLC.java");
        Files.writeString(
                source,
                "package tlc2; public class TLC { public static void main(String[] a) throws java.io.IOException {"
                        + " System.out.write(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(\"" + text
                        + "\"))); System.out.flush(); } }",
                StandardCharsets.UTF_8);
        ByteArrayOutputStream wrong = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, wrong, "-proc:none", source.toString());
        assertThat(status).as(wrong.toString(StandardCharsets.UTF_8)).isZero();
        Path file = dir.resolve("fake.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new ZipEntry("tlc2/TLC.class"));
            Files.copy(source.resolveSibling("TLC.class"), jar);
        }
        return TlcJar.given(file);
    }

    @Test
    void aProcessThatStopsShortWithStatus0IsIncomplete() throws IOException, InterruptedException {
        Model model = Tiny.model("Counter");
        List<String> lines = said(model);
        assertThat(result(model, lines).tlc().verdict()).isEqualTo(Verdict.PASSED);
        for (int kept : new int[] {lines.size() - 1, lines.size() / 2, 0}) {
            CheckResult result = result(model, lines.subList(0, kept));
            assertThat(result.tlc().exitCode()).isZero();
            assertThat(result.tlc().verdict()).as("%s lines", kept).isEqualTo(Verdict.INCOMPLETE);
            assertThat(result.properties()).allMatch(verdict -> verdict.result().equals("UNDECIDED"));
        }
    }

    private CheckResult result(Model model, List<String> lines) throws IOException, InterruptedException {
        TlcOptions options = new TlcOptions(saying(lines), 1, "64m", null, false, true, false, List.of());
        return new Checker(Tiny.modules(), options, dir.resolve("state")).check(model, true, TlcProcess.Listener.NONE);
    }
}
