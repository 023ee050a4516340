package io.tidemark.core.controller;

import static io.tidemark.core.controller.ControllerHarness.appended;
import static io.tidemark.core.controller.ControllerHarness.assertRefused;
import static io.tidemark.core.controller.ControllerHarness.change;
import static io.tidemark.core.controller.ControllerHarness.incarnation;
import static io.tidemark.core.controller.ControllerHarness.registration;
import static io.tidemark.core.controller.ControllerHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.metadata.BrokerRegistration;
import io.tidemark.core.metadata.BrokerRegistration.FeatureRange;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandleBrokerRegistrationTest {
    @Test
    void aNewBrokerIsFencedAndItsEpochIsTheOffsetOfItsRegistration() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        long end = harness.core.view().metaLogEnd();

        Step<ControllerEffect> step = harness.register(1, incarnation(1, 1), -1);

        ControllerRequest.RegisterBroker asked = registration(1, incarnation(1, 1), -1);
        BrokerRegistration registered = new BrokerRegistration(
                1,
                end,
                asked.incarnation(),
                asked.endpoints(),
                asked.features(),
                null,
                asked.directories(),
                true,
                false);
        assertThat(step.action()).isEqualTo(SpecAction.HandleBrokerRegistration);
        assertThat(step.effects())
                .containsExactly(
                        new ControllerEffect.Append(1, end, List.of(new MetadataRecord.RegisterBroker(registered))),
                        new ControllerEffect.SetSession(1),
                        harness.answer(new ControllerResponse.RegisteredBroker(end)));
        assertThat(harness.broker(1)).isEqualTo(registered);
    }

    @Test
    void theSameIncarnationAmendsAndKeepsEpochAndFencing() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        BrokerRegistration before = harness.broker(1);

        Step<ControllerEffect> step = harness.register(1, incarnation(1, 1), -1);

        assertThat(harness.broker(1)).isEqualTo(before);
        assertThat(response(step)).isEqualTo(new ControllerResponse.RegisteredBroker(before.epoch()));
        assertThat(harness.core.view().metadata().registrationOffset(1)).isGreaterThan(before.epoch());
    }

    @Test
    void anotherIncarnationIsRefusedWhileTheSessionLives() {
        ControllerHarness harness = ControllerHarness.running(true, 1);

        Step<ControllerEffect> step = harness.register(1, incarnation(1, 2), -1);

        assertRefused(step, ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(harness.broker(1).incarnation()).isEqualTo(incarnation(1, 1));
        harness.sessionTimeout(1);
        assertThat(harness.register(1, incarnation(1, 2), -1).action()).isEqualTo(SpecAction.HandleBrokerRegistration);
    }

    @Test
    void withoutTheGuardTheSecondIncarnationTakesOver() {
        ControllerHarness harness = ControllerHarness.running(true, 1, Guards.without(Guard.REGISTRATION_INCARNATION));

        assertThat(harness.register(1, incarnation(1, 2), -1).action()).isEqualTo(SpecAction.HandleBrokerRegistration);
    }

    @Test
    void aFencedBrokersSessionLivesUntilItTimesOut() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        harness.register(1, incarnation(1, 1), -1);

        assertRefused(harness.register(1, incarnation(1, 2), -1), ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(harness.sessionTimeout(1)).isEqualTo(Step.stutter(List.of()));
        assertThat(harness.register(1, incarnation(1, 2), -1).action()).isNotNull();
    }

    @Test
    void uncleanWithElrLeavesIsrAndElr() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);
        assertThat(harness.part(id).elr()).containsExactly(2);
        harness.sessionTimeout(1);
        assertThat(harness.part(id).isr()).isEmpty();
        assertThat(harness.part(id).elr()).containsExactly(1, 2);

        Step<ControllerEffect> step = harness.register(2, incarnation(2, 2), -1);

        assertThat(appended(step)).first().isEqualTo(change(id, null, null, List.of(1), null, null));
        assertThat(harness.part(id).lastKnownElr()).containsExactly(1);
    }

    @Test
    void cleanIsAsAFencing() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);

        Step<ControllerEffect> step = harness.register(2, incarnation(2, 2), harness.epoch(2));

        assertThat(appended(step)).hasSize(1);
        assertThat(harness.part(id).elr()).containsExactly(2);
    }

    /** A directory that was restored, or copied, may have the mark of a stop before the last one. */
    @Test
    void theCleanStopOfALifeBeforeTheLastIsNone() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        long before = harness.epoch(2);
        harness.sessionTimeout(2);
        harness.register(2, incarnation(2, 2), before);
        assertThat(harness.part(id).elr()).containsExactly(2);
        harness.sessionTimeout(2);

        harness.register(2, incarnation(2, 3), before);

        assertThat(harness.part(id).elr()).isEmpty();
    }

    @Test
    void withoutTheGuardAnUncleanOneStaysEligible() {
        ControllerHarness harness = ControllerHarness.running(true, 3, Guards.without(Guard.REGISTRATION_UNCLEAN));
        TopicPartition id = harness.topic("t", 1, 2, 3);
        harness.sessionTimeout(3);
        harness.sessionTimeout(2);

        harness.register(2, incarnation(2, 2), -1);

        assertThat(harness.part(id).elr()).containsExactly(2);
    }

    @Test
    void withElrOffTheLastMemberStaysInTheIsr() {
        ControllerHarness harness = ControllerHarness.running(false, 2);
        TopicPartition id = harness.topic("t", 1, 2);
        harness.sessionTimeout(2);
        harness.sessionTimeout(1);
        assertThat(harness.part(id).isr()).containsExactly(1);

        harness.register(1, incarnation(1, 2), -1);

        assertThat(harness.part(id).isr()).containsExactly(1);
        assertThat(harness.part(id).leader()).isEqualTo(-1);
    }

    @Test
    void afterAFailOverOnlyUnfencedBrokersHaveASession() {
        ControllerHarness harness = ControllerHarness.running(true, 2);
        harness.sessionTimeout(2);
        harness.failOver();

        assertRefused(harness.register(1, incarnation(1, 2), -1), ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(harness.register(2, incarnation(2, 2), -1).action()).isNotNull();
    }

    @Test
    void aNewIncarnationOfAnUnfencedBrokerIsTakenOutOfIsrInTheSameBatch() {
        ControllerHarness harness = ControllerHarness.running(true, 3);
        TopicPartition id = harness.topic("t", 1, 2, 3);
        ControllerHarness mutant = ControllerHarness.running(true, 3, Guards.without(Guard.REGISTRATION_INCARNATION));
        mutant.topic("t", 1, 2, 3);
        long end = mutant.core.view().metaLogEnd();

        Step<ControllerEffect> step = mutant.register(1, incarnation(1, 2), -1);

        assertThat(appended(step)).first().isEqualTo(change(id, List.of(2, 3), 2, null, null, null));
        assertThat(mutant.epoch(1)).isEqualTo(end + 1);
    }

    @Test
    void theRegistrationMustFitTheCluster() {
        ControllerHarness harness = ControllerHarness.running(true, 1);
        ControllerRequest.RegisterBroker good = registration(2, incarnation(2, 1), -1);

        assertRefused(
                harness.request(with(good, "other", good.features(), good.directories())),
                ErrorCode.INCONSISTENT_CLUSTER_ID);
        assertRefused(
                harness.request(with(good, good.clusterId(), good.features(), List.of())),
                ErrorCode.INVALID_REGISTRATION);
        assertRefused(
                harness.request(with(good, good.clusterId(), good.features(), List.of(new UUID(0, 1)))),
                ErrorCode.INVALID_REGISTRATION);
        UUID directory = new UUID(5, 5);
        assertRefused(
                harness.request(with(good, good.clusterId(), good.features(), List.of(directory, directory))),
                ErrorCode.INVALID_REGISTRATION);
        assertRefused(
                harness.request(with(good, good.clusterId(), good.features(), List.of(ControllerHarness.directory(1)))),
                ErrorCode.INVALID_REGISTRATION);
    }

    @Test
    void everyFinalizedFeatureMustBeSupported() {
        ControllerHarness harness = ControllerHarness.running(true, 0);
        ControllerRequest.RegisterBroker good = registration(2, incarnation(2, 1), -1);
        TreeMap<String, FeatureRange> old = new TreeMap<>(good.features());
        old.put("metadata.version", new FeatureRange((short) 7, (short) 26));
        TreeMap<String, FeatureRange> silent = new TreeMap<>(good.features());
        silent.remove("metadata.version");
        assertRefused(
                harness.request(with(good, good.clusterId(), silent, good.directories())),
                ErrorCode.INVALID_REGISTRATION);
        TreeMap<String, FeatureRange> none = new TreeMap<>(good.features());
        none.remove("eligible.leader.replicas.version");
        TreeMap<String, FeatureRange> more = new TreeMap<>(good.features());
        more.putAll(Map.of("share.version", new FeatureRange((short) 0, (short) 1)));

        assertRefused(
                harness.request(with(good, good.clusterId(), old, good.directories())), ErrorCode.UNSUPPORTED_VERSION);
        assertRefused(
                harness.request(with(good, good.clusterId(), none, good.directories())), ErrorCode.UNSUPPORTED_VERSION);
        assertThat(harness.request(with(good, good.clusterId(), more, good.directories()))
                        .action())
                .isEqualTo(SpecAction.HandleBrokerRegistration);
    }

    private static ControllerRequest.RegisterBroker with(
            ControllerRequest.RegisterBroker request,
            String cluster,
            java.util.SortedMap<String, FeatureRange> features,
            List<UUID> directories) {
        return new ControllerRequest.RegisterBroker(
                request.brokerId(),
                cluster,
                request.incarnation(),
                request.endpoints(),
                features,
                request.rack(),
                directories,
                request.previousBrokerEpoch());
    }
}
