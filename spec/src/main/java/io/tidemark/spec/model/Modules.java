package io.tidemark.spec.model;

import io.tidemark.spec.SpecException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files of modules: shared ones in the specification's directory, models in {@code models}. */
public final class Modules {
    private static final Pattern WORD = Pattern.compile("\\b[A-Za-z_][A-Za-z0-9_]*\\b");

    private final Path spec;
    private final Map<Path, String> texts = new ConcurrentHashMap<>();
    private final Map<Path, Set<String>> words = new ConcurrentHashMap<>();
    private final Map<Path, Set<String>> names = new ConcurrentHashMap<>();
    private final Map<Path, List<Path>> closures = new ConcurrentHashMap<>();
    private final Map<Path, MessageDigest> digests = new ConcurrentHashMap<>();
    private final Map<Path, Definitions> read = new HashMap<>();

    public Modules(Path spec) {
        this.spec = spec;
    }

    /** The specification's directory. */
    public Path place() {
        return spec;
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
        return closures.computeIfAbsent(root, this::drawsOn);
    }

    private List<Path> drawsOn(Path root) {
        List<Path> places = new ArrayList<>(library());
        Path own = root.toAbsolutePath().getParent();
        if (own != null) {
            places.add(0, own);
        }
        Set<Path> found = new TreeSet<>(Set.of(root));
        Deque<Path> open = new ArrayDeque<>(found);
        while (!open.isEmpty()) {
            Set<String> mentioned = words(open.remove());
            for (Path place : places) {
                for (String name : names(place)) {
                    Path module = mentioned.contains(name) ? first(name, places) : null;
                    if (module != null && found.add(module)) {
                        open.add(module);
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    private @Nullable Path first(String name, List<Path> places) {
        return places.stream()
                .filter(place -> names(place).contains(name))
                .findFirst()
                .map(place -> place.resolve(name + ".tla"))
                .orElse(null);
    }

    private Set<String> words(Path file) {
        return words.computeIfAbsent(
                file,
                of -> WORD.matcher(text(of)).results().map(MatchResult::group).collect(Collectors.toSet()));
    }

    /** The modules in a directory; none where it cannot be read. */
    private Set<String> names(Path place) {
        return names.computeIfAbsent(place, dir -> {
            Set<String> found = new TreeSet<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(dir, "*.tla")) {
                files.forEach(
                        file -> found.add(String.valueOf(file.getFileName()).replaceFirst("\\.tla$", "")));
            } catch (IOException | DirectoryIteratorException e) {
                return Set.of();
            }
            return found;
        });
    }

    /** The modules of the specification that define an operator of this name; shared ones first. */
    public List<Path> defining(String name) {
        Pattern definition = Pattern.compile("(?m)^ *" + Pattern.quote(name) + " *(\\([^)]*\\))? *==");
        return library().stream()
                .flatMap(place -> names(place).stream().map(module -> place.resolve(module + ".tla")))
                .filter(file -> definition.matcher(text(file)).find())
                .toList();
    }

    /** What an operator without parameters stands for, in one line: what follows {@code ==}; empty where there is none. */
    public String meaning(Path root, String name) {
        Pattern definition = Pattern.compile("(?m)^" + Pattern.quote(name) + " *==((?:.*\n(?=[ \\n]))*.*)");
        return closure(root).stream()
                .map(file -> definition.matcher(text(file)))
                .filter(Matcher::find)
                .map(found -> found.group(1).strip().replaceAll("\\s+", " "))
                .findFirst()
                .orElse("");
    }

    /**
     * The beginning of a SHA-256 over all that decides what a model means: its modules without their comments, and its
     * configuration.
     */
    public String inputs(Model model) {
        try {
            MessageDigest digest = (MessageDigest)
                    digests.computeIfAbsent(model.module(), this::digest).clone();
            digest.update(model.config().render().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a root module and all that it draws on, to be cloned: many rows share one. */
    private MessageDigest digest(Path root) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : closure(root)) {
                digest.update(text(file).getBytes(StandardCharsets.UTF_8));
            }
            return digest;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the manifest has a full run of the model as it is now. */
    public boolean onRecord(Model model) {
        Model.Ran ran = model.ran();
        return ran != null && ran.inputs().equals(inputs(model));
    }

    /**
     * What the manifest has on record of the model as it is now: PASSED or VIOLATED, {@code older modules} where
     * something has changed since, {@code never} where no run has come to its end. Only what is as expected is recorded.
     */
    public String found(Model model) {
        if (model.ran() == null) {
            return "never";
        }
        return onRecord(model) ? model.expected().result() : "older modules";
    }

    /** What SANY finds in the module; read once. */
    public synchronized Definitions definitions(Path module) {
        return read.computeIfAbsent(module, file -> Definitions.read(file, library()));
    }

    /** The definition, with the comment above those that stand with it where it has none of its own. */
    public Definitions.Definition withComment(Path file, Definitions.Definition found) {
        if (!found.comment().isEmpty()) {
            return found;
        }
        return new Definitions.Definition(
                found.name(),
                found.parameters(),
                found.module(),
                found.line(),
                found.level(),
                Comments.aboveGroup(Comments.lines(file), found.line()));
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
