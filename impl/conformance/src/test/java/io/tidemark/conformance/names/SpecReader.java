package io.tidemark.conformance.names;

import io.tidemark.spec.model.Sany;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.ModuleNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDeclNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SemanticNode;
import tla2sany.semantic.StringNode;

/** Reads a module's names by SANY's parse; the text is never searched. */
public final class SpecReader {
    private static final String NEXT = "Next";
    private static final String ON = "On";
    private static final String GUARDS = "Guards";
    /** A bound that depends on no variable and on no action. */
    private static final int CONSTANT_LEVEL = 0;

    private final SortedMap<String, SpecNames.Definition> actions = new TreeMap<>();
    private final SortedMap<String, SortedSet<String>> parts = new TreeMap<>();
    private final SortedMap<String, SpecNames.Use> guards = new TreeMap<>();
    private final Path root;
    private final String next;

    private SpecReader(Path root, String next) {
        this.root = root;
        this.next = next;
    }

    /**
     * @param root file of the module
     * @throws io.tidemark.spec.SpecException if it does not parse
     * @throws IllegalArgumentException if {@code Next} is no disjunction of named actions over constants
     */
    public static SpecNames read(Path root) {
        return read(root, NEXT);
    }

    /** @param next what the module calls its next-state relation */
    public static SpecNames read(Path root, String next) {
        return new SpecReader(root, next).read();
    }

    /**
     * The operators that a module defines, its own and what it extends, whether it has a next-state relation or not.
     *
     * @param library where the modules are that it extends, beside its own directory
     */
    static SortedMap<String, SpecNames.Definition> definitions(Path root, List<Path> library) {
        return definitions(Sany.parse(root, library));
    }

    private static SortedMap<String, SpecNames.Definition> definitions(ModuleNode module) {
        SortedMap<String, SpecNames.Definition> definitions = new TreeMap<>();
        for (OpDefNode definition : module.getOpDefs()) {
            if (!definition.isStandardModule() && definition.getLocation().beginLine() != 0) {
                definitions.put(definition.getName().toString(), defined(definition));
            }
        }
        return definitions;
    }

    private SpecNames read() {
        ModuleNode module = Sany.parse(root, List.of());
        SortedMap<String, SpecNames.Definition> definitions = definitions(module);
        SortedMap<String, String> listed = new TreeMap<>();
        OpDefNode guardsListed = module.getOpDef(GUARDS);
        if (guardsListed != null) {
            strings(guardsListed.getBody(), listed);
        }
        OpDefNode relation = module.getOpDef(next);
        if (relation == null) {
            throw new IllegalArgumentException(root + ": no definition of " + next);
        }
        disjuncts(relation.getBody());
        SortedMap<String, String> variables = new TreeMap<>();
        for (OpDeclNode variable : module.getVariableDecls()) {
            variables.put(variable.getName().toString(), place(variable));
        }
        return new SpecNames(variables, definitions, actions, parts, guards, listed);
    }

    /** Next: disjunctions and quantifiers over constants, down to named actions. */
    private void disjuncts(ExprNode node) {
        if (!(node instanceof OpApplNode application)) {
            throw new IllegalArgumentException(place(node) + ": " + next + " is a disjunction of named actions");
        }
        String operator = application.getOperator().getName().toString();
        switch (operator) {
            case "$DisjList", "\\lor" -> arguments(application);
            case "$BoundedExists" -> {
                for (ExprNode bound : application.getBdedQuantBounds()) {
                    if (bound.getLevel() > CONSTANT_LEVEL) {
                        throw new IllegalArgumentException(place(bound) + ": " + next
                                + " quantifies over constants, else TLC calls the action " + next);
                    }
                }
                arguments(application);
            }
            default -> action(application, operator);
        }
    }

    private void arguments(OpApplNode application) {
        for (ExprOrOpArgNode argument : application.getArgs()) {
            if (argument instanceof ExprNode expression) {
                disjuncts(expression);
            }
        }
    }

    private void action(OpApplNode application, String name) {
        if (!(application.getOperator() instanceof OpDefNode definition)
                || definition.isStandardModule()
                || definition.getLocation().beginLine() == 0) {
            throw new IllegalArgumentException(
                    place(application) + ": " + next + " takes " + name + ", which is no named action");
        }
        actions.put(name, defined(definition));
        instanced(definition.getBody(), parts.computeIfAbsent(name, action -> new TreeSet<>()));
        uses(definition.getBody(), name, new HashSet<>());
    }

    /** Every operator of an instance ({@code P!Action}) that a definition names itself. */
    private static void instanced(SemanticNode node, SortedSet<String> found) {
        if (node instanceof OpApplNode application) {
            String operator = application.getOperator().getName().toString();
            if (operator.contains("!")) {
                found.add(operator);
            }
        }
        SemanticNode[] children = node.getChildren();
        if (children != null) {
            for (SemanticNode child : children) {
                if (child != null) {
                    instanced(child, found);
                }
            }
        }
    }

    /** Every On("guard") that the action leads to. */
    private void uses(SemanticNode node, String action, Set<SemanticNode> seen) {
        if (!seen.add(node)) {
            return;
        }
        if (node instanceof OpApplNode application && application.getOperator() instanceof OpDefNode called) {
            if (called.getName().toString().equals(ON) && application.getArgs()[0] instanceof StringNode guard) {
                SpecNames.Use use = guards.computeIfAbsent(guard.getRep().toString(), name -> new SpecNames.Use());
                use.places().add(place(node) + ":" + node.getLocation().beginColumn());
                use.actions().add(action);
            }
            ExprNode body = called.getBody();
            if (body != null && !called.isStandardModule()) {
                uses(body, action, seen);
            }
        }
        SemanticNode[] children = node.getChildren();
        if (children != null) {
            for (SemanticNode child : children) {
                if (child != null) {
                    uses(child, action, seen);
                }
            }
        }
    }

    private static void strings(@Nullable SemanticNode node, SortedMap<String, String> found) {
        if (node instanceof StringNode string) {
            found.put(string.getRep().toString(), place(string));
        }
        SemanticNode[] children = node == null ? null : node.getChildren();
        if (children != null) {
            for (SemanticNode child : children) {
                strings(child, found);
            }
        }
    }

    private static SpecNames.Definition defined(OpDefNode definition) {
        return new SpecNames.Definition(
                definition.getOriginallyDefinedInModuleNode().getName().toString(), place(definition));
    }

    private static String place(SemanticNode node) {
        return node.getLocation().source() + ".tla:" + node.getLocation().beginLine();
    }
}
