package io.tidemark.spec.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tla2sany.semantic.ModuleNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SemanticNode;
import tla2sany.semantic.StringNode;
import tla2sany.semantic.SymbolNode;

/**
 * What a module defines and declares, its own and what it extends, as SANY reads it. Names are sorted.
 *
 * @param definitions by name
 * @param guards that a definition of it consults, as {@code On("guard")}
 */
public record Definitions(
        List<String> constants, List<String> variables, Map<String, Definition> definitions, Set<String> guards) {
    private static final String ON = "On";

    /** Levels up to this one speak of a single state. */
    public static final int STATE_LEVEL = 1;

    /**
     * An operator.
     *
     * @param module where it is defined
     * @param level 0 constant, 1 state, 2 action, 3 temporal
     * @param comment what stands right above it, without the marks of a comment; a heading that a blank line parts from it is none
     */
    public record Definition(
            String name, List<String> parameters, String module, int line, int level, String comment) {}

    /** The definition of this name, null if there is none. */
    public @Nullable Definition definition(String name) {
        return definitions.get(name);
    }

    /** What SANY finds in a module. */
    static Definitions read(Path file, List<Path> library) {
        Path own = file.toAbsolutePath().getParent();
        List<Path> places = new ArrayList<>(library);
        if (own != null) {
            places.add(0, own);
        }
        Map<String, List<String>> lines = new HashMap<>();
        return of(
                Sany.parse(file, library),
                module -> lines.computeIfAbsent(module, name -> Comments.lines(name, places)));
    }

    private static Definitions of(ModuleNode root, Function<String, List<String>> lines) {
        Map<String, Definition> definitions = new TreeMap<>();
        Set<String> guards = new TreeSet<>();
        Set<SemanticNode> seen = new HashSet<>();
        for (OpDefNode node : root.getOpDefs()) {
            if (!node.isStandardModule()) {
                definitions.put(node.getName().toString(), definition(node, lines));
                guards(node.getBody(), guards, seen);
            }
        }
        return new Definitions(names(root.getConstantDecls()), names(root.getVariableDecls()), definitions, guards);
    }

    private static void guards(@Nullable SemanticNode node, Set<String> guards, Set<SemanticNode> seen) {
        if (node == null || !seen.add(node)) {
            return;
        }
        if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode called) {
            if (called.getName().toString().equals(ON) && application.getArgs()[0] instanceof StringNode guard) {
                guards.add(guard.getRep().toString());
            }
            if (!called.isStandardModule()) {
                guards(called.getBody(), guards, seen);
            }
        }
        SemanticNode[] children = node.getChildren();
        if (children != null) {
            for (SemanticNode child : children) {
                guards(child, guards, seen);
            }
        }
    }

    private static Definition definition(OpDefNode node, Function<String, List<String>> lines) {
        int line = node.getLocation().beginLine();
        return new Definition(
                node.getName().toString(),
                names(node.getParams()),
                String.valueOf(node.getOriginallyDefinedInModuleNode().getName()),
                line,
                node.getLevel(),
                Comments.above(lines.apply(node.getLocation().source()), line));
    }

    private static List<String> names(SymbolNode[] nodes) {
        return Stream.of(nodes).map(node -> node.getName().toString()).toList();
    }
}
