package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tla2sany.drivers.FrontEndException;
import tla2sany.drivers.SANY;
import tla2sany.modanalyzer.SpecObj;
import tla2sany.semantic.ModuleNode;
import util.SimpleFilenameToStream;
import util.ToolIO;

/** The parser of TLA+. It keeps much in static variables: one parse at a time in a JVM. */
public final class Sany {
    private Sany() {}

    /**
     * Parses a module.
     *
     * @param library where modules are looked for, beside its own directory and the standard modules
     * @throws SpecException of kind INPUT if it does not parse
     */
    public static synchronized ModuleNode parse(Path file, List<Path> library) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream sink = new PrintStream(said, true, StandardCharsets.UTF_8);
        PrintStream out = ToolIO.out;
        PrintStream err = ToolIO.err;
        ToolIO.out = sink;
        ToolIO.err = sink;
        try {
            SpecObj spec = new SpecObj(file.toString(), new Resolver(file, library));
            SANY.frontEndMain(spec, file.toString(), sink);
            ModuleNode root = spec.getExternalModuleTable().getRootModule();
            if (root == null
                    || spec.getErrorLevel() != 0
                    || spec.getSemanticErrors().isFailure()) {
                throw wrong(file, said.toString(StandardCharsets.UTF_8));
            }
            return root;
        } catch (FrontEndException e) {
            throw wrong(file, said.toString(StandardCharsets.UTF_8));
        } finally {
            ToolIO.out = out;
            ToolIO.err = err;
        }
    }

    private static SpecException wrong(Path file, String said) {
        String first = said.lines()
                .filter(line -> line.matches(
                        "(?i).*(encountered|unknown operator|could not|cannot|multiply-defined|line \\d+).*"))
                .findFirst()
                .orElse("SANY gives no reason");
        return new SpecException(
                SpecException.Kind.INPUT, file.toString(), "does not parse: " + first.strip(), "a TLA+ module");
    }

    /** Looks beside the module, then in the library, then among the standard modules of the jar. */
    private static final class Resolver extends SimpleFilenameToStream {
        private final List<Path> places = new ArrayList<>();

        Resolver(Path file, List<Path> library) {
            Path own = file.toAbsolutePath().getParent();
            if (own != null) {
                places.add(own);
            }
            places.addAll(library);
        }

        @Override
        public File resolve(String name, boolean isModule) {
            String file = isModule && !name.endsWith(".tla") ? name + ".tla" : name;
            if (Path.of(file).isAbsolute()) {
                return new File(file);
            }
            for (Path place : places) {
                if (Files.isRegularFile(place.resolve(file))) {
                    return place.resolve(file).toFile();
                }
            }
            return Standard.file(file);
        }
    }

    /** The standard modules, unpacked once for this JVM alone: two that unpack into one place spoil each other's parse. */
    private static final class Standard {
        private static final Path DIR = create();

        private Standard() {}

        private static Path create() {
            try {
                Path dir = Files.createTempDirectory("tidemark-sany-");
                dir.toFile().deleteOnExit();
                return dir;
            } catch (IOException e) {
                throw new SpecException(
                        SpecException.Kind.ENVIRONMENT,
                        System.getProperty("java.io.tmpdir"),
                        "cannot be written",
                        "a writable temporary directory");
            }
        }

        static File file(String name) {
            Path file = DIR.resolve(name);
            if (!Files.exists(file)) {
                try (InputStream in = SANY.class.getResourceAsStream("/tla2sany/StandardModules/" + name)) {
                    if (in != null) {
                        Files.copy(in, file);
                        file.toFile().deleteOnExit();
                    }
                } catch (IOException e) {
                    throw new SpecException(
                            SpecException.Kind.ENVIRONMENT,
                            file.toString(),
                            "cannot be written",
                            "room in the temporary directory");
                }
            }
            return file.toFile();
        }
    }
}
