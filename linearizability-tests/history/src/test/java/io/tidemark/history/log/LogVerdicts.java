package io.tidemark.history.log;

import static org.assertj.core.api.Assertions.assertThat;

/** What a verdict says of its anomalies. */
final class LogVerdicts {
    private LogVerdicts() {}

    /** There is that kind of anomaly alone, so often, and the first is explained like that. */
    static void assertOnly(LogVerdict verdict, AnomalyType type, long count, String explanation) {
        assertThat(verdict.anomalies()).extracting(Anomaly::type).containsExactly(type);
        assertThat(verdict.count(type)).isEqualTo(count);
        assertThat(explanation(verdict, type)).isEqualTo(explanation);
        assertThat(verdict.outcome()).isEqualTo(LogVerdict.Outcome.INVALID);
    }

    /** Of the first anomaly of its kind. */
    static String explanation(LogVerdict verdict, AnomalyType type) {
        return verdict.anomalies().stream()
                .filter(a -> a.type() == type)
                .findFirst()
                .orElseThrow()
                .first()
                .explanation();
    }
}
