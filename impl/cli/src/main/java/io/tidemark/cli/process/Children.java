package io.tidemark.cli.process;

import java.util.ArrayList;
import java.util.List;

/** The last resort: whatever way this JVM ends, short of SIGKILL, the processes that it started end with it. */
final class Children {
    private static final List<Process> STARTED = new ArrayList<>();

    private Children() {}

    static synchronized void endWithThisJvm(Process child) {
        if (STARTED.isEmpty()) {
            Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll, "end-children"));
        }
        STARTED.removeIf(process -> !process.isAlive());
        STARTED.add(child);
    }

    // A stopped process ends on SIGKILL too.
    private static synchronized void endAll() {
        STARTED.forEach(Process::destroyForcibly);
    }
}
