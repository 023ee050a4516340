package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.ConfigChange;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerRequest.ConfigOp.Op;
import io.tidemark.core.metadata.MetadataRecord.ClearElr;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** HandleAlterConfigs and HandleAlterMinIsr. */
class HandleAlterConfigsTest {
    private static final String MIN_ISR = "min.insync.replicas";
    private static final byte TOPIC = 2;
    private static final byte BROKER = 4;

    private static ConfigChange set(byte type, String name, String key, String value) {
        return new ConfigChange(type, name, List.of(new ConfigOp(key, Op.SET, value)));
    }

    private static Step<ControllerEffect> alter(ControllerHarness harness, ConfigChange... changes) {
        return harness.request(new ControllerRequest.AlterConfigs(List.of(changes), false));
    }

    private static ErrorCode error(Step<ControllerEffect> step) {
        return ((ControllerResponse.AlteredConfigs) response(step))
                .results()
                .get(0)
                .error();
    }

    @Test
    void aTopicConfigIsSetChangedAndDeleted() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.topic("t", 1, 2);

        Step<ControllerEffect> step = alter(harness, set(TOPIC, "t", "retention.ms", "1000"));
        assertThat(step.action()).isNull();
        assertThat(appended(step)).containsExactly(new Config(TOPIC, "t", "retention.ms", "1000"));
        assertThat(appended(alter(harness, set(TOPIC, "t", "retention.ms", "1000"))))
                .isEmpty();

        ConfigChange delete = new ConfigChange(TOPIC, "t", List.of(new ConfigOp("retention.ms", Op.DELETE, null)));
        assertThat(appended(alter(harness, delete))).containsExactly(new Config(TOPIC, "t", "retention.ms", null));
        assertThat(harness.metadata.topicConfig("t", "retention.ms")).isEqualTo("604800000");
    }

    @Test
    void listsGrowAndShrink() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.topic("t", 1, 2);

        alter(harness, new ConfigChange(TOPIC, "t", List.of(new ConfigOp("cleanup.policy", Op.APPEND, "compact"))));
        assertThat(harness.metadata.topicConfig("t", "cleanup.policy")).isEqualTo("delete,compact");
        alter(harness, new ConfigChange(TOPIC, "t", List.of(new ConfigOp("cleanup.policy", Op.SUBTRACT, "delete"))));
        assertThat(harness.metadata.topicConfig("t", "cleanup.policy")).isEqualTo("compact");
        assertThat(error(alter(
                        harness, new ConfigChange(TOPIC, "t", List.of(new ConfigOp("retention.ms", Op.APPEND, "1"))))))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void aChangeOfMinIsrClearsWhatWasEligibleUnderTheOldOne() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        TopicPartition other = harness.topic("u", 1, 2, 3);
        harness.request(harness.alter(id, 1));
        harness.request(harness.alter(other, 1));
        assertThat(harness.part(id).elr()).containsExactly(2, 3);

        Step<ControllerEffect> step = alter(harness, set(TOPIC, "t", MIN_ISR, "3"));

        assertThat(step.action()).isEqualTo(SpecAction.HandleAlterMinIsr);
        assertThat(appended(step)).containsExactly(new Config(TOPIC, "t", MIN_ISR, "3"), new ClearElr("t"));
        assertThat(harness.part(id).elr()).isEmpty();
        assertThat(harness.part(other).elr()).containsExactly(2, 3);
        assertThat(harness.core.view().minIsr("t")).isEqualTo(3);

        assertThat(appended(alter(harness, set(BROKER, "", MIN_ISR, "1"))))
                .containsExactly(new Config(BROKER, "", MIN_ISR, "1"), new ClearElr(""));
        assertThat(harness.part(other).elr()).isEmpty();
    }

    @Test
    void withElrTheClustersMinIsrCanNotBeRemovedNorABrokersSet() {
        ControllerHarness harness = ControllerHarness.running(true, 2);

        assertThat(error(alter(harness, set(BROKER, "1", MIN_ISR, "1")))).isEqualTo(ErrorCode.INVALID_CONFIG);
        ConfigChange delete = new ConfigChange(BROKER, "", List.of(new ConfigOp(MIN_ISR, Op.DELETE, null)));
        assertThat(error(alter(harness, delete))).isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void withElrOffBothAreAllowedAndNothingIsCleared() {
        ControllerHarness harness = ControllerHarness.running(false, 2);

        Step<ControllerEffect> step = alter(harness, set(BROKER, "1", MIN_ISR, "1"));

        assertThat(step.action()).isEqualTo(SpecAction.HandleAlterMinIsr);
        assertThat(appended(step)).containsExactly(new Config(BROKER, "1", MIN_ISR, "1"));
    }

    @Test
    void whatCanNotBeIsRefused() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("t", 1);

        assertThat(error(alter(harness, set(TOPIC, "x", "retention.ms", "1"))))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(alter(harness, set(TOPIC, "", "retention.ms", "1"))))
                .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(error(alter(harness, set(TOPIC, "t", "retention.ms", "soon"))))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(alter(harness, set(TOPIC, "t", "retention.mss", "1")))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(alter(harness, set(TOPIC, "t", MIN_ISR, "0")))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(alter(harness, set(BROKER, "", MIN_ISR, "none")))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(alter(harness, set(BROKER, "", "some.key", "x".repeat(32_768)))))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(error(alter(harness, set(BROKER, "one", "log.retention.ms", "1"))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(alter(harness, set(BROKER, "9", "log.retention.ms", "1"))))
                .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
        assertThat(error(alter(harness, set((byte) 8, "1", "x", "1")))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(alter(harness, set(TOPIC, "t", "retention.ms", "1"), set(TOPIC, "t", "segment.ms", "1"))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(alter(
                        harness, new ConfigChange(TOPIC, "t", List.of(new ConfigOp("retention.ms", Op.SET, null))))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void whatARunningNodeDoesNotTakeUpIsRefusedButMayBeDeleted() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        assertThat(error(alter(harness, set(BROKER, "1", "process.roles", "broker"))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(alter(harness, set(BROKER, "", "process.roles", "broker"))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(alter(harness, set(BROKER, "1", "log.retention.ms", "5"))))
                .isEqualTo(ErrorCode.NONE);
        ConfigChange delete = new ConfigChange(BROKER, "1", List.of(new ConfigOp("process.roles", Op.DELETE, null)));
        assertThat(error(alter(harness, delete))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aRefusedResourceLeavesTheOthersAlone() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("t", 1);
        harness.topic("u", 1);

        Step<ControllerEffect> step =
                alter(harness, set(TOPIC, "t", "retention.ms", "soon"), set(TOPIC, "u", "retention.ms", "5"));

        assertThat(appended(step)).containsExactly(new Config(TOPIC, "u", "retention.ms", "5"));
    }

    @Test
    void validateOnlyChangesNothing() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("t", 1);

        Step<ControllerEffect> step = harness.request(
                new ControllerRequest.AlterConfigs(List.of(set(TOPIC, "t", "retention.ms", "5")), true));

        assertThat(error(step)).isEqualTo(ErrorCode.NONE);
        assertThat(appended(step)).isEmpty();
    }
}
