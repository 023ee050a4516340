package io.tidemark.workload;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The epochs of the leaders that appended what a poll brought, as a history has them. */
final class PolledEpochs {
    private PolledEpochs() {}

    /**
     * Pairs of an offset and the epoch of the records from there on, in the order of the records; none where no record tells
     * its epoch.
     *
     * @param records of one partition
     */
    static List<List<Long>> of(List<? extends ConsumerRecord<?, ?>> records) {
        List<List<Long>> pairs = new ArrayList<>();
        long last = -1;
        for (ConsumerRecord<?, ?> record : records) {
            long epoch = record.leaderEpoch().orElse(-1);
            if (epoch >= 0 && epoch != last) {
                pairs.add(List.of(record.offset(), epoch));
                last = epoch;
            }
        }
        return pairs;
    }
}
