package io.tidemark.node.net;

import java.util.HashMap;
import java.util.Map;

/** Which feature a Kafka API that is not served belongs to. */
final class Unserved {
    private static final Map<Integer, String> FEATURES = new HashMap<>();

    static {
        name(
                "consumer groups (without one: assign(), --partition 0 --offset earliest)",
                8,
                9,
                10,
                11,
                12,
                13,
                14,
                15,
                16,
                42,
                47,
                68,
                69);
        name("transactions", 24, 25, 26, 27, 28, 65, 66);
        name("share groups", 76, 77, 78, 79, 83, 84, 85, 86, 87, 90, 91, 92);
        name("streams groups", 88, 89);
        name("TLS and SASL", 17, 36);
        name("authorization", 29, 30, 31);
        name("delegation tokens", 38, 39, 40, 41);
        name("SCRAM credentials", 50, 51);
        name("quotas", 48, 49);
        name("reassignment of partitions", 45, 46);
        name("deletion of records", 21);
        name("log directories", 34, 35);
        name("changes of the quorum's voters", 80, 81, 82);
        name("snapshots of the metadata log", 59);
        name("client metrics", 71, 72);
    }

    private Unserved() {}

    private static void name(String feature, int... keys) {
        for (int key : keys) {
            FEATURES.put(key, feature);
        }
    }

    /** For a log line. */
    static String feature(short apiKey) {
        return FEATURES.getOrDefault((int) apiKey, "this API");
    }
}
