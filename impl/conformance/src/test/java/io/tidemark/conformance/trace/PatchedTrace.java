package io.tidemark.conformance.trace;

import io.tidemark.simulation.Aim;
import io.tidemark.simulation.Plan;
import io.tidemark.simulation.Shape;
import io.tidemark.simulation.SimTrace;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Traces of the simulator with a source line of the product replaced: compiled beside it, and loaded in place of it. */
final class PatchedTrace extends URLClassLoader {
    private static final String OURS = "io.tidemark.";
    private static final Path MAIN = Path.of("src", "main", "java");

    private PatchedTrace(URL[] urls) {
        super(urls, PatchedTrace.class.getClassLoader());
    }

    /**
     * The trace of a seed.
     *
     * @param module directory of the module below {@code impl}
     * @param type the class to change, by its full name
     * @param find what stands there exactly once
     * @param put what stands there instead
     * @param work where the changed class is compiled
     * @throws IllegalStateException where the place is not there once, or what is put there does not compile
     */
    static List<String> of(long seed, long faultsMs, String module, String type, String find, String put, Path work)
            throws IOException, ReflectiveOperationException {
        Path path = Path.of(type.replace('.', File.separatorChar) + ".java");
        Path impl = Path.of(System.getProperty("tidemark.root", "../.."), "impl");
        String source = Files.readString(impl.resolve(module).resolve(MAIN).resolve(path));
        if (source.split(Pattern.quote(find), -1).length != 2) {
            throw new IllegalStateException(type + " does not have once: " + find);
        }
        Path changed = work.resolve("sources").resolve(path);
        Path classes = Files.createDirectories(work.resolve("classes"));
        Files.createDirectories(changed.resolveSibling("."));
        Files.writeString(changed, source.replace(find, put));
        compile(changed, classes);
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        try (PatchedTrace loader = new PatchedTrace(urls.toArray(URL[]::new))) {
            return loader.traced(seed, faultsMs);
        }
    }

    private List<String> traced(long seed, long faultsMs) throws ReflectiveOperationException {
        Class<?> shape = loadClass(Shape.class.getName());
        Class<?> aim = loadClass(Aim.class.getName());
        Class<?> plan = loadClass(Plan.class.getName());
        Object planned = plan.getMethod("of", long.class, shape, List.class, long.class)
                .invoke(
                        null,
                        seed,
                        shape.getMethod("three").invoke(null),
                        aim.getMethod("all").invoke(null),
                        faultsMs);
        List<String> lines = new ArrayList<>();
        ((List<?>) loadClass(SimTrace.class.getName()).getMethod("of", plan).invoke(null, planned))
                .forEach(line -> lines.add((String) line));
        return lines;
    }

    private static void compile(Path source, Path classes) throws IOException {
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
            if (!compiler.getTask(said, manager, null, options, null, manager.getJavaFileObjects(source))
                    .call()) {
                throw new IllegalStateException("it does not compile: " + said);
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
