package io.tidemark.cli.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.CommonOptions;
import io.tidemark.cli.contract.Installation;
import io.tidemark.cli.contract.Report;
import io.tidemark.cli.contract.Session;
import io.tidemark.cli.contract.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A drill that held, until a test changes what it found; and its reports. */
abstract class DrillReportHarness {
    final Outcomes.Builder drill = new Outcomes.Builder();

    static JsonNode json(Report report) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Session session = new Session(
                List.of("drill"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err,
                Installation.current(),
                Terminal.current());
        session.options().format = CommonOptions.Format.json;
        session.publish(report, text -> {});
        return Schemas.validated("drill", out.toString(StandardCharsets.UTF_8));
    }

    JsonNode json(String acks) throws Exception {
        DrillConfig config = Outcomes.config(acks, false);
        DrillOutcome outcome = drill.build();
        return json(DrillDocument.of(config, outcome, DrillVerdict.of(config, outcome)));
    }

    String text(String acks) {
        return text(acks, 0);
    }

    String text(String acks, int width) {
        DrillConfig config = Outcomes.config(acks, false);
        DrillOutcome outcome = drill.build();
        return DrillText.of(config, outcome, DrillVerdict.of(config, outcome), width);
    }
}
