package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of modules: shared ones in the specification's directory, models in {@code models}. */
public final class Modules {
    private static final Pattern WORD = Pattern.compile("\\b[A-Za-z_][A-Za-z0-9_]*\\b");

    private static final Pattern GUARD = Pattern.compile("\\bOn\\(\"([^\"]+)\"\\)");

    private final Path spec;
    private final Map<Path, String> texts = new ConcurrentHashMap<>();
    private final Map<Path, Definitions> read = new HashMap<>();

    public Modules(Path spec) {
        this.spec = spec;
    }

    /** Where modules are looked for, beside the directory of the root module. */
    public List<Path> library() {
        return List.of(spec, spec.resolve("models"));
    }

    /** The file of a module of the specification, null if there is none. */
    public @Nullable Path find(String name) {
        return find(name, library());
    }

    private static @Nullable Path find(String name, List<Path> places) {
        return places.stream()
                .map(place -> place.resolve(name + ".tla"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    /** The configuration beside a module. */
    public static Path config(Path module) {
        return module.resolveSibling(String.valueOf(module.getFileName()).replaceFirst("\\.tla$", "") + ".cfg");
    }

    /**
     * The root and every module of ours that it may draw on: each whose name it mentions outside of comments. At times
     * one too many, which costs the cache a hit and nothing else.
     */
    public List<Path> closure(Path root) {
        List<Path> places = new ArrayList<>(library());
        Path own = root.toAbsolutePath().getParent();
        if (own != null) {
            places.add(0, own);
        }
        Set<Path> found = new TreeSet<>(Set.of(root));
        Deque<Path> open = new ArrayDeque<>(found);
        while (!open.isEmpty()) {
            String text = text(open.remove());
            Matcher words = WORD.matcher(text);
            Set<String> seen = new TreeSet<>();
            while (words.find()) {
                Path module = seen.add(words.group()) ? find(words.group(), places) : null;
                if (module != null && found.add(module)) {
                    open.add(module);
                }
            }
        }
        return List.copyOf(found);
    }

    /** The guards that a module and what it draws on consult. */
    public Set<String> guards(Path root) {
        Set<String> guards = new TreeSet<>();
        for (Path file : closure(root)) {
            GUARD.matcher(text(file)).results().forEach(found -> guards.add(found.group(1)));
        }
        return guards;
    }

    /**
     * The beginning of a SHA-256 over all that decides what a model means: its modules without their comments, and its
     * configuration.
     */
    public String inputs(Model model) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : closure(model.module())) {
                digest.update(text(file).getBytes(StandardCharsets.UTF_8));
            }
            digest.update(model.config().render().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the manifest has a full run of the model as it is now. */
    public boolean onRecord(Model model) {
        Model.Ran ran = model.ran();
        return ran != null && ran.inputs().equals(inputs(model));
    }

    /** What SANY finds in the module; read once. */
    public synchronized Definitions definitions(Path module) {
        return read.computeIfAbsent(module, file -> Definitions.read(file, library()));
    }

    /**
     * The configuration with these properties instead of its own, each as what it is: an invariant if it speaks of one
     * state, else a property. SANY is asked about names that the configuration does not have.
     *
     * @param names none leaves the configuration as it is
     * @param where for messages
     */
    public ModelConfig checking(ModelConfig config, Path module, List<String> names, String where) {
        if (names.isEmpty()) {
            return config;
        }
        List<String> states = new ArrayList<>();
        List<String> temporal = new ArrayList<>();
        for (String name : names) {
            boolean state = config.invariants().contains(name)
                    || (!config.properties().contains(name) && isState(module, name, where));
            (state ? states : temporal).add(name);
        }
        return config.checking(states, temporal);
    }

    private boolean isState(Path module, String name, String where) {
        Definitions.Definition found = definitions(module).definition(name);
        if (found == null) {
            throw new SpecException(
                    SpecException.Kind.USAGE,
                    where,
                    "no property " + name + " in " + module.getFileName(),
                    "a definition of it");
        }
        return found.level() <= Definitions.STATE_LEVEL;
    }

    /** The module without its comments; read once. */
    private String text(Path file) {
        return texts.computeIfAbsent(file, Modules::read);
    }

    private static String read(Path file) {
        try {
            return Comments.without(Files.readString(file));
        } catch (IOException e) {
            throw new SpecException(SpecException.Kind.INPUT, file.toString(), "cannot be read", "a TLA+ module");
        }
    }
}
