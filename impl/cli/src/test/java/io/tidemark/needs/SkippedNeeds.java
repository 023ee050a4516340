package io.tidemark.needs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The tests that a build skipped, in every module, after the reports that Surefire and Failsafe wrote of it.
 *
 * <p>The reason of a skip begins with what is missing, and a colon. One that begins with {@link #LEFT_OUT} misses
 * nothing: the test was not asked for. So what gives no reason counts as missing something.
 *
 * @param skips what was skipped, in the order of the modules
 * @param silent modules of which this build has no report
 */
record SkippedNeeds(List<Skip> skips, List<String> silent) {
    /** How the reason begins of a test that a property of the build leaves out, or that runs with one alone. */
    static final String LEFT_OUT = "left out: ";

    private static final List<String> REPORTS = List.of("target/surefire-reports", "target/failsafe-reports");

    /**
     * A test that was skipped.
     *
     * @param module its folder, as the parent POM names it
     * @param test class and method; the class alone where none of its tests ran
     * @param times how many of its invocations were skipped
     * @param reason in one line
     */
    record Skip(String module, String test, int times, String reason) {
        boolean leftOut() {
            return reason.startsWith(LEFT_OUT);
        }

        /** What is missing. */
        String need() {
            return reason.split(":", 2)[0];
        }

        @Override
        public String toString() {
            return module + ": " + test + (times == 1 ? "" : " (" + times + " times)") + ": " + reason;
        }
    }

    /**
     * @param root the folder of the parent POM
     * @param since when the build began; a report that is older is one of another build
     */
    static SkippedNeeds of(Path root, Instant since) throws IOException {
        List<Skip> skips = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (String module : modules(root.resolve("pom.xml"))) {
            Map<String, Skip> found = new LinkedHashMap<>();
            int reports = 0;
            for (Path report : reports(root.resolve(module), since)) {
                reports++;
                for (Skip skip : skips(module, report)) {
                    found.merge(skip.test() + skip.reason(), skip, SkippedNeeds::both);
                }
            }
            skips.addAll(found.values());
            if (reports == 0) {
                silent.add(module);
            }
        }
        return new SkippedNeeds(List.copyOf(skips), List.copyOf(silent));
    }

    private static Skip both(Skip one, Skip other) {
        return new Skip(one.module, one.test, one.times + other.times, one.reason);
    }

    /**
     * What a build that has to test everything fails for.
     *
     * @param spared needs that may be missing
     * @return a line each; empty if all was there
     */
    List<String> failures(Collection<String> spared) {
        return Stream.concat(
                        skips.stream()
                                .filter(skip -> !skip.leftOut() && !spared.contains(skip.need()))
                                .map(Skip::toString),
                        silent.stream().map(module -> module + ": no test ran"))
                .toList();
    }

    @Override
    public String toString() {
        return section(
                        "Not tested for want of something",
                        skips.stream().filter(skip -> !skip.leftOut()).toList())
                + section("Not asked for", skips.stream().filter(Skip::leftOut).toList())
                + section("No test ran", silent);
    }

    private static String section(String title, List<?> lines) {
        StringBuilder text = new StringBuilder(title).append(':');
        if (lines.isEmpty()) {
            text.append(" nothing");
        }
        lines.forEach(line -> text.append("\n  ").append(line));
        return text.append('\n').toString();
    }

    private static List<String> modules(Path pom) throws IOException {
        List<String> modules = new ArrayList<>();
        read(pom, (element, xml) -> {
            if (element.equals("module")) {
                modules.add(xml.getElementText());
            }
        });
        return modules;
    }

    private static List<Path> reports(Path module, Instant since) throws IOException {
        List<Path> reports = new ArrayList<>();
        for (String folder : REPORTS) {
            if (Files.isDirectory(module.resolve(folder))) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(module.resolve(folder), "TEST-*.xml")) {
                    for (Path file : files) {
                        if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
                            reports.add(file);
                        }
                    }
                }
            }
        }
        reports.sort(null);
        return reports;
    }

    private static List<Skip> skips(String module, Path report) throws IOException {
        List<Skip> skips = new ArrayList<>();
        String[] test = {""};
        read(report, (element, xml) -> {
            switch (element) {
                case "testsuite" -> {
                    // Where a class, a factory or a source of arguments is skipped, the report has no test of it.
                    if (xml.getAttributeValue(null, "tests").equals("0")) {
                        skips.add(new Skip(module, simple(xml.getAttributeValue(null, "name")), 1, reason("")));
                    }
                }
                case "testcase" ->
                    test[0] = simple(xml.getAttributeValue(null, "classname")) + "."
                            + xml.getAttributeValue(null, "name").split("[(\\[]", 2)[0];
                case "skipped" -> {
                    String message = xml.getAttributeValue(null, "message");
                    skips.add(new Skip(module, test[0], 1, reason(message == null ? xml.getElementText() : message)));
                }
                default -> {}
            }
        });
        return skips;
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /** Without what JUnit puts before it: an exception's name, the condition of an annotation. */
    static String reason(String message) {
        String line = message.lines().findFirst().orElse("").strip();
        String reason = line.replaceFirst("^.* ==> ", "")
                .replaceFirst("^org\\.opentest4j\\.TestAbortedException(: )?", "")
                .replaceFirst("^Assumption failed: *", "");
        return reason.isEmpty() ? "no reason given" : reason;
    }

    private interface Visitor {
        void element(String name, XMLStreamReader xml) throws XMLStreamException;
    }

    private static void read(Path file, Visitor visitor) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    visitor.element(xml.getLocalName(), xml);
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
