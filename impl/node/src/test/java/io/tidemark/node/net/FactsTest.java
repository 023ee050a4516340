package io.tidemark.node.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataState;
import io.tidemark.core.quorum.Endpoint;
import io.tidemark.wire.NodeFacts;
import io.tidemark.wire.batch.ProduceRules;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FactsTest {
    private static final UUID ID = new UUID(1, 1);
    private static final UUID LATER = new UUID(1, 2);

    private final MetadataState state = new MetadataState(1, new TreeMap<>());
    private final Facts facts = new Facts(() -> 77);
    private final NodeFacts seen = facts.of("PLAINTEXT");
    private long offset;

    private void apply(MetadataRecord... records) {
        List<MetadataState.Applied> applied = new ArrayList<>();
        for (MetadataRecord record : records) {
            applied.addAll(state.apply(offset++, record));
        }
        facts.applied(applied, state);
    }

    private ProduceRules rules(String topic) {
        return seen.produceRules(PartitionRef.byName(topic, 0));
    }

    private ProduceRules rules(UUID topic) {
        return seen.produceRules(PartitionRef.byId(topic, 0));
    }

    @Test
    void aTopicIsKnownWithItsConfigsAsSoonAsItIsApplied() {
        assertThat(rules("t")).isNull();
        apply(
                new MetadataRecord.Topic("t", ID),
                new Config(Config.TOPIC, "t", "message.timestamp.before.max.ms", "60000"));
        assertThat(rules("t").timestampBeforeMaxMs()).isEqualTo(60_000);
        assertThat(rules(ID)).isEqualTo(rules("t"));
        apply(new Config(Config.TOPIC, "t", "message.timestamp.before.max.ms", null));
        assertThat(rules("t")).isEqualTo(ProduceRules.DEFAULT);
    }

    @Test
    void aBrokersConfigReachesEveryTopic() {
        apply(new MetadataRecord.Topic("t", ID), new MetadataRecord.Topic("u", LATER));
        apply(new Config(Config.TOPIC, "u", "max.message.bytes", "5"));
        apply(new Config(Config.BROKER, "", "message.max.bytes", "99"));
        assertThat(rules("t").maxMessageBytes()).isEqualTo(99);
        assertThat(rules("u").maxMessageBytes()).isEqualTo(5);
    }

    @Test
    void aTopicMadeAgainIsTheLaterOne() {
        apply(new MetadataRecord.Topic("t", ID), new Config(Config.TOPIC, "t", "max.message.bytes", "5"));
        apply(new MetadataRecord.RemoveTopic(ID), new MetadataRecord.Topic("t", LATER));
        assertThat(rules(ID)).isNull();
        assertThat(rules(LATER)).isEqualTo(ProduceRules.DEFAULT);
        assertThat(rules("t")).isEqualTo(ProduceRules.DEFAULT);
        apply(new MetadataRecord.RemoveTopic(LATER));
        assertThat(rules("t")).isNull();
    }

    @Test
    void whatATransactionHoldsBackIsKnownAtItsEnd() {
        apply(new MetadataRecord.BeginTransaction("large"), new MetadataRecord.Topic("t", ID));
        assertThat(rules("t")).isNull();
        apply(new MetadataRecord.EndTransaction());
        assertThat(rules("t")).isEqualTo(ProduceRules.DEFAULT);
    }

    @Test
    void brokersAreToldByTheListenerThatWasAsked() {
        Endpoint plain = new Endpoint("PLAINTEXT", "one", 9092);
        apply(new MetadataRecord.RegisterBroker(new BrokerRegistration(
                1, 5, new UUID(2, 2), List.of(plain), new TreeMap<>(), null, List.of(), true, false)));
        assertThat(seen.broker(1)).isEqualTo(plain);
        assertThat(facts.of("OTHER").broker(1)).isNull();
        apply(new MetadataRecord.UnregisterBroker(1, 5));
        assertThat(seen.broker(1)).isNull();
        assertThat(seen.nowMs()).isEqualTo(77);
    }
}
