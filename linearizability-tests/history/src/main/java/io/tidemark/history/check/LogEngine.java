package io.tidemark.history.check;

import io.tidemark.history.engine.CheckOptions;
import io.tidemark.history.engine.Engine;
import io.tidemark.history.engine.EngineResult;
import io.tidemark.history.engine.Finding;
import io.tidemark.history.engine.HistoryModel;
import io.tidemark.history.engine.HistorySource;
import io.tidemark.history.engine.Outcome;
import io.tidemark.history.log.Anomaly;
import io.tidemark.history.log.AnomalyType;
import io.tidemark.history.log.LogEvents;
import io.tidemark.history.log.LogHistoryCheck;
import io.tidemark.history.log.LogVerdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides histories of sends and polls in time linear in the number of records, by {@link LogHistoryCheck}. */
public final class LogEngine implements Engine {
    public static final String NAME = "log";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean decides(HistoryModel model) {
        return model == HistoryModel.LOG;
    }

    @Override
    public EngineResult check(HistorySource history, CheckOptions options) throws IOException {
        long start = System.nanoTime();
        LogHistoryCheck check =
                new LogHistoryCheck(new LogHistoryCheck.Rules(options.idempotent(), options.strongReads()));
        Stop stop = new Stop(options, start);
        history.forEach(op -> {
            check.accept(op);
            return stop.goesOn(check);
        });
        return result(check.verdict(), options, check.bytes(), stop.cause, start);
    }

    /** Decides a history that is loaded already; the budget does not bind it. */
    public EngineResult check(LogEvents events, CheckOptions options) {
        long start = System.nanoTime();
        LogHistoryCheck check =
                new LogHistoryCheck(new LogHistoryCheck.Rules(options.idempotent(), options.strongReads()));
        check.accept(events);
        return result(check.verdict(events.transactions()), options, check.bytes() + events.bytes(), null, start);
    }

    /** Asks every now and then whether the budget still holds. */
    private static final class Stop {
        private static final int EVERY = 1 << 12;

        private final CheckOptions options;
        private final long start;
        private int left = EVERY;
        private @Nullable String cause;

        Stop(CheckOptions options, long start) {
            this.options = options;
            this.start = start;
        }

        boolean goesOn(LogHistoryCheck check) {
            if (--left > 0) {
                return true;
            }
            left = EVERY;
            if (options.cancelled().getAsBoolean()) {
                cause = "cancelled";
            } else if (System.nanoTime() - start > options.budget().time().toNanos()) {
                cause = "the time budget of " + options.budget().time().toMillis() + " ms did not suffice";
            } else if (check.bytes() > options.budget().bytes()) {
                cause = "the memory budget of " + options.budget().bytes() + " bytes did not suffice";
            }
            return cause == null;
        }
    }

    private static EngineResult result(
            LogVerdict verdict, CheckOptions options, long bytes, @Nullable String stopped, long start) {
        List<Finding> findings = new ArrayList<>();
        verdict.anomalies().forEach(anomaly -> findings.add(finding(anomaly, options)));
        Anomaly unseen = verdict.unseen();
        if (unseen != null && stopped == null) {
            findings.add(finding(unseen, options));
        }
        Outcome outcome = switch (verdict.outcome()) {
            case VALID -> Outcome.VALID;
            case INVALID -> Outcome.INVALID;
            case UNKNOWN -> Outcome.UNKNOWN;
        };
        String cause = null;
        if (outcome != Outcome.INVALID && stopped != null) {
            outcome = Outcome.UNKNOWN;
            cause = stopped;
        } else if (outcome == Outcome.UNKNOWN) {
            List<String> incomplete = verdict.incomplete();
            cause = "no complete final read of " + incomplete.get(0)
                    + (incomplete.size() == 1 ? "" : " and " + (incomplete.size() - 1) + " more partitions")
                    + ": nothing can be said about loss";
        }
        return new EngineResult(
                NAME, outcome, cause, (System.nanoTime() - start) / 1_000_000, bytes, findings, List.of());
    }

    private static boolean againstOrder(AnomalyType type, boolean strongReads) {
        return switch (type) {
            case UNSEEN, CLIENT_ORDER, NONMONOTONIC_POLL, POLL_SKIP -> false;
            case HW_REGRESS, STALE_READ -> strongReads;
            default -> true;
        };
    }

    private static Finding finding(Anomaly anomaly, CheckOptions options) {
        Anomaly.First first = anomaly.first();
        return new Finding(
                anomaly.type().label(),
                first.topic(),
                first.partition(),
                first.offset(),
                anomaly.count(),
                anomaly.allowed(),
                againstOrder(anomaly.type(), options.strongReads()),
                first.operations(),
                true,
                first.explanation());
    }
}
