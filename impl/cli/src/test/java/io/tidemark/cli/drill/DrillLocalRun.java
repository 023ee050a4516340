package io.tidemark.cli.drill;

import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Progress;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import java.nio.file.Path;
import java.util.List;

/** Runs a drill without the command around it. */
final class DrillLocalRun {
    private DrillLocalRun() {}

    static DrillOutcome run(DrillConfig config, DrillCluster cluster, Path history) throws Exception {
        Session session =
                new Session(List.of("drill"), System.out, System.err, Installation.current(), Terminal.current());
        try (Progress progress = session.progress()) {
            DrillOutcome outcome = new DrillRun(config, cluster, history, progress, DrillRun.FINAL_READ_LIMIT).run();
            cluster.stop();
            return outcome;
        }
    }
}
