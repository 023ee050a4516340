package io.tidemark.spec.model;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
     * @param comment what stands before it, without the marks of a comment
     */
    public record Definition(
            String name, List<String> parameters, String module, int line, int level, String comment) {}

    /** The definition of this name, null if there is none. */
    public @Nullable Definition definition(String name) {
        return definitions.get(name);
    }

    /** What SANY finds in a module. */
    static Definitions read(Path file, List<Path> library) {
        return of(Sany.parse(file, library));
    }

    private static Definitions of(ModuleNode root) {
        Map<String, Definition> definitions = new TreeMap<>();
        Set<String> guards = new TreeSet<>();
        Set<SemanticNode> seen = new HashSet<>();
        for (OpDefNode node : root.getOpDefs()) {
            if (!node.isStandardModule()) {
                definitions.put(node.getName().toString(), definition(node));
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

    private static Definition definition(OpDefNode node) {
        return new Definition(
                node.getName().toString(),
                names(node.getParams()),
                String.valueOf(node.getOriginallyDefinedInModuleNode().getName()),
                node.getLocation().beginLine(),
                node.getLevel(),
                comment(node.getPreComments()));
    }

    private static List<String> names(SymbolNode[] nodes) {
        return Stream.of(nodes).map(node -> node.getName().toString()).toList();
    }

    /** The text of comments: no stars, boxes or rules, one space between words. */
    static String comment(String @Nullable [] comments) {
        return comments == null
                ? ""
                : Arrays.stream(comments)
                        .flatMap(String::lines)
                        .map(line -> line.replaceAll("^\\s*(\\(\\*+|\\\\\\*+)|\\*+\\)\\s*$", " ")
                                .replaceAll("^\\s*-{4,}\\s*$", "")
                                .strip())
                        .filter(line -> !line.isEmpty())
                        .reduce((a, b) -> a + " " + b)
                        .orElse("");
    }
}
