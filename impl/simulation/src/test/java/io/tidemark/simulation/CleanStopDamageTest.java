package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The last of an ISR stops in order, its log is damaged or moved away, and it starts again beside one that lacks the last
 * records: nobody may be elected clean without them.
 */
class CleanStopDamageTest {
    enum Damage {
        MOVED_AWAY,
        OFFLINE_THEN_MOVED_AWAY,
        CUT
    }

    private static void until(Stage stage, SimNode node) {
        stage.until("node has stopped", () -> !node.alive());
    }

    @ParameterizedTest
    @EnumSource
    void whoLacksRecordsIsNotElected(Damage damage) throws IOException {
        Stage stage = new Stage(Shape.three().with(shape -> shape.minIsr = 2));
        SimNode leader = stage.simulation.node(stage.leader);
        SimNode controller = stage.simulation.node(stage.controller);
        SimNode other = stage.simulation.node(stage.other);
        stage.until("records are acknowledged", () -> stage.acknowledged() >= 20);
        other.stop(() -> {});
        until(stage, other);
        stage.until("two are in sync", () -> stage.isr().size() == 2);
        long before = stage.acknowledged();
        stage.until("more are acknowledged", () -> stage.acknowledged() >= before + 10);
        controller.stop(() -> {});
        until(stage, controller);
        stage.asked = stage.leader;
        leader.stop(() -> {});
        until(stage, leader);

        damage(stage, leader, other, damage);
        leader.start();
        if (!other.alive()) {
            other.start();
        }
        stage.run(8_000);
        stage.handsOff();
        stage.simulation.finish();
        assertThat(stage.acknowledged()).isGreaterThanOrEqualTo(before + 10);
    }

    private static void damage(Stage stage, SimNode leader, SimNode other, Damage damage) throws IOException {
        Path directory = SimNode.dataDirectory().resolve(SimClients.TOPIC + "-" + stage.partition.partition());
        switch (damage) {
            case MOVED_AWAY -> leader.disk().deleteTree(directory);
            case OFFLINE_THEN_MOVED_AWAY -> {
                try (FileHandle file = leader.disk().open(directory.resolve("partition.metadata"), true)) {
                    file.truncate(0);
                    file.write(ByteBuffer.wrap("what is this".getBytes(StandardCharsets.UTF_8)), 0);
                    file.force();
                }
                leader.start();
                other.start();
                stage.run(8_000);
                leader.stop(() -> {});
                until(stage, leader);
                other.stop(() -> {});
                stage.run(12_000);
                leader.disk().deleteTree(directory);
            }
            case CUT -> {
                Path last = leader.disk().list(directory).stream()
                        .filter(path -> path.toString().endsWith(".log"))
                        .reduce((first, second) -> second)
                        .orElseThrow();
                try (FileHandle file = leader.disk().open(last, true)) {
                    file.truncate(file.size() / 2);
                    file.force();
                }
            }
        }
    }
}
