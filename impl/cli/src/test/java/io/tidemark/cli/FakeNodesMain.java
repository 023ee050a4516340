package io.tidemark.cli;

import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.process.FakeNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command as a process of its own whose nodes are {@link FakeNode}s. */
public final class FakeNodesMain {
    private FakeNodesMain() {}

    public static void main(String[] arguments) {
        Path home = Path.of(System.getProperty("tidemark.root"));
        Main.start(List.of(arguments), new Installation(home, Optional.empty(), FakeNode.class.getName()));
    }
}
