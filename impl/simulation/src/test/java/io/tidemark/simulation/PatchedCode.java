package io.tidemark.simulation;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The product with some of its source lines replaced: compiled beside it, and loaded in place of it. */
final class PatchedCode extends URLClassLoader {
    private static final String OURS = "io.tidemark.";

    private PatchedCode(URL[] urls) {
        super(urls, PatchedCode.class.getClassLoader());
    }

    /**
     * Compiles the patched sources into {@code directory}.
     *
     * @throws IllegalStateException where a place is not there exactly once, or what is put there does not compile
     */
    static PatchedCode of(List<Mutant.Patch> patches, Path directory) throws IOException {
        Map<Path, String> sources = new LinkedHashMap<>();
        for (Mutant.Patch patch : patches) {
            String before = sources.get(patch.file());
            String source = before == null ? Files.readString(patch.file()) : before;
            sources.put(patch.file(), replaced(source, patch));
        }
        List<File> files = new ArrayList<>();
        Path main = Path.of("src", "main", "java");
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            String path = source.getKey().toString();
            Path file = directory
                    .resolve("sources")
                    .resolve(path.substring(
                            path.indexOf(main.toString()) + main.toString().length() + 1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            files.add(file.toFile());
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        compile(files, classes);
        List<URL> urls = new ArrayList<>();
        urls.add(classes.toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(url(entry));
        }
        return new PatchedCode(urls.toArray(URL[]::new));
    }

    private static URL url(String entry) throws MalformedURLException {
        return Path.of(entry).toUri().toURL();
    }

    private static String replaced(String source, Mutant.Patch patch) {
        String words = Stream.of(patch.find().strip().split("\\s+"))
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s+"));
        List<Integer> places = new ArrayList<>();
        Matcher matcher = Pattern.compile(words).matcher(source);
        int end = 0;
        while (matcher.find()) {
            places.add(matcher.start());
            end = matcher.end();
        }
        if (places.size() != 1) {
            throw new IllegalStateException(patch.file() + ": has the place of a mutant " + places.size()
                    + " times; expected once: " + patch.find());
        }
        return source.substring(0, places.get(0)) + patch.put() + source.substring(end);
    }

    private static void compile(List<File> files, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-nowarn",
                    "-proc:none",
                    "-Xlint:none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString());
            boolean compiled = compiler.getTask(
                            said, manager, null, options, null, manager.getJavaFileObjectsFromFiles(files))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("a mutant does not compile: " + said);
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
