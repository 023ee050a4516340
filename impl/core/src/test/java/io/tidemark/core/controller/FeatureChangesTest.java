package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.assertRefused;
import static io.tidemark.core.controller.ControllerHarness.incarnation;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Step;
import io.tidemark.core.controller.ControllerRequest.UpdateFeatures.FeatureUpdate;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataRecord.Config;
import io.tidemark.core.metadata.MetadataRecord.FeatureLevel;
import io.tidemark.core.metadata.MetadataState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Features, producer ids, controller registrations. */
class FeatureChangesTest {
    private static Step<ControllerEffect> update(ControllerHarness harness, String name, int level, boolean down) {
        return harness.request(
                new ControllerRequest.UpdateFeatures(List.of(new FeatureUpdate(name, (short) level, down)), false));
    }

    @Test
    void aLevelIsRaisedAndLowered() {
        ControllerHarness harness = ControllerHarness.running(false, 1);

        assertThat(appended(update(harness, "group.version", 1, false)))
                .containsExactly(new FeatureLevel("group.version", (short) 1));
        assertThat(appended(update(harness, "metadata.version", 28, false)))
                .containsExactly(new FeatureLevel("metadata.version", (short) 28));
        assertRefused(update(harness, "group.version", 0, false), ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(appended(update(harness, "group.version", 0, true)))
                .containsExactly(new FeatureLevel("group.version", (short) 0));
        assertThat(harness.metadata.features()).doesNotContainKey("group.version");
    }

    @Test
    void whatSomebodyDoesNotSupportIsRefused() {
        ControllerHarness harness = ControllerHarness.running(false, 1);
        assertRefused(update(harness, "metadata.version", 26, true), ErrorCode.INVALID_UPDATE_VERSION);
        assertRefused(update(harness, "metadata.version", 30, false), ErrorCode.INVALID_UPDATE_VERSION);
        assertRefused(update(harness, "no.such", 1, false), ErrorCode.INVALID_UPDATE_VERSION);
        assertRefused(update(harness, "kraft.version", 1, false), ErrorCode.INVALID_UPDATE_VERSION);
        assertRefused(update(harness, "group.version", -1, true), ErrorCode.INVALID_UPDATE_VERSION);
        TreeMap<String, FeatureRange> old = new TreeMap<>(ControllerHarness.FEATURES);
        old.put("metadata.version", new FeatureRange((short) 7, (short) 27));
        harness.request(new ControllerRequest.RegisterController(101, incarnation(101, 1), List.of(), old));

        assertRefused(update(harness, "metadata.version", 28, false), ErrorCode.INVALID_UPDATE_VERSION);
    }

    @Test
    void elrComesWithOneMinIsrForTheCluster() {
        ControllerHarness harness = ControllerHarness.running(false, 2);
        harness.request(new ControllerRequest.AlterConfigs(
                List.of(new ControllerRequest.ConfigChange(
                        Config.BROKER,
                        "1",
                        List.of(new ControllerRequest.ConfigOp(
                                "min.insync.replicas", ControllerRequest.ConfigOp.Op.SET, "1")))),
                false));

        Step<ControllerEffect> step = update(harness, MetadataState.ELR_FEATURE, 1, false);

        assertThat(appended(step))
                .containsExactly(
                        new Config(Config.BROKER, "", "min.insync.replicas", "2"),
                        new Config(Config.BROKER, "1", "min.insync.replicas", null),
                        new FeatureLevel(MetadataState.ELR_FEATURE, (short) 1));
    }

    @Test
    void elrCanNotBeSwitchedOffUnderAnEmptyIsr() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        harness.topic("t", 1);
        harness.sessionTimeout(1);

        assertRefused(update(harness, MetadataState.ELR_FEATURE, 0, true), ErrorCode.INVALID_UPDATE_VERSION);
        harness.heartbeat(1);
        assertThat(appended(update(harness, MetadataState.ELR_FEATURE, 0, true)))
                .containsExactly(
                        new FeatureLevel(MetadataState.ELR_FEATURE, (short) 0), new MetadataRecord.ClearElr(""));
    }

    @Test
    void whoLedBeforeElrWasOnIsTheLastKnownLeader() {
        ControllerHarness harness = ControllerHarness.running(false, 2);
        var id = harness.topic("t", 1, 2);
        harness.request(harness.alter(id, 1));
        harness.sessionTimeout(1);
        update(harness, MetadataState.ELR_FEATURE, 1, false);

        harness.register(1, incarnation(1, 2), -1);

        assertThat(harness.part(id).isr()).isEmpty();
        assertThat(harness.part(id).lastKnownElr()).containsExactly(1);
    }

    @Test
    void producerIdsComeInBlocksOfAThousand() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        long epoch = harness.epoch(1);

        Step<ControllerEffect> step = harness.request(new ControllerRequest.AllocateProducerIds(1, epoch));

        assertThat(appended(step)).containsExactly(new MetadataRecord.ProducerIds(1, epoch, 1_000));
        assertThat(response(step)).isEqualTo(new ControllerResponse.ProducerIdBlock(0, 1_000));
        assertThat(response(harness.request(new ControllerRequest.AllocateProducerIds(1, epoch))))
                .isEqualTo(new ControllerResponse.ProducerIdBlock(1_000, 1_000));
        assertRefused(
                harness.request(new ControllerRequest.AllocateProducerIds(1, epoch + 1)), ErrorCode.STALE_BROKER_EPOCH);
    }

    @Test
    void aControllerRegisters() {
        ControllerHarness harness = ControllerHarness.running(true, 0);

        Step<ControllerEffect> step = harness.request(
                new ControllerRequest.RegisterController(101, incarnation(101, 1), List.of(), new TreeMap<>(Map.of())));

        assertThat(response(step)).isEqualTo(new ControllerResponse.RegisteredController());
        assertThat(appended(step))
                .containsExactly(new MetadataRecord.RegisterController(
                        101, incarnation(101, 1), false, List.of(), new TreeMap<>(Map.of())));
        assertThat(harness.metadata.controllers()).containsOnlyKeys(101);
    }
}
