package io.tidemark.spec.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.SpecException;
import io.tidemark.spec.tlc.TlcResult.PrintedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
    @TempDir
    Path dir;

    private static final String BEFORE = """
            /\\ log = (b1 :> <<[epoch |-> 0, id |-> 1]>> @@ b2 :> <<>>)
            /\\ hw = (b1 :> 0 @@ b2 :> 0)
            /\\ isrState = (b1 :> [isr |-> {b1, b2}, pending |-> Nil] @@ b2 :> Nil)
            /\\ acked = {}
            """;
    private static final String AFTER = """
            /\\ log = (b1 :> <<[epoch |-> 0, id |-> 1]>> @@ b2 :> <<[epoch |-> 0, id |-> 1]>>)
            /\\ hw = (b1 :> 1 @@ b2 :> 0)
            /\\ isrState = (b1 :> [isr |-> {b1, b2}, pending |-> Nil] @@ b2 :> Nil)
            /\\ acked = {"x", -12345678901234567890}
            """;

    private static Counterexample example() {
        return Counterexample.of(
                "m",
                "Partition",
                "Safe",
                List.of(
                        new PrintedState(1, "Initial predicate", BEFORE),
                        new PrintedState(2, "HandleFetch(b1, b2)", AFTER),
                        new PrintedState(3, "Stuttering", "")));
    }

    @Test
    void everyKindOfValueIsRead() {
        assertThat(ValueParser.value(
                        "<<1, -2, TRUE, \"a \\\"b\\\"\", {Nil}, 1..3, [a |-> <<>>], (1 :> 2 @@ 3 :> 4), {}>>"))
                .hasToString("<<1, -2, TRUE, a \"b\", {Nil}, {1, 2, 3}, [a: <<>>], (1: 2, 3: 4), {}>>");
        assertThat(ValueParser.state("n = 0")).containsOnlyKeys("n");
    }

    @Test
    void whatIsNoValueIsRefused() {
        for (String bad : List.of("<<1", "[a |-> ]", "1 2", "{1,,2}", "?", "(1 :> )")) {
            assertThatThrownBy(() -> ValueParser.value(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theStoryTellsOnlyWhatChanged() {
        Story story = new Story(example(), action -> action.equals("HandleFetch") ? "A follower asks." : "");
        assertThat(story.step(1))
                .containsExactly(
                        "1. HandleFetch(b1, b2): A follower asks.",
                        "     acknowledged to producers: {} -> {x, -12345678901234567890}",
                        "     high watermark of b1: 0 -> 1",
                        "     log of b2: + record 1 (epoch 0)",
                        "        b1   leader               0 |  hw 1  leo 1",
                        "        b2                     |  0    hw 0  leo 1");
        assertThat(story.ending()).isEqualTo("Then nothing happens any more. Here Safe is violated.");
        assertThat(new Story(example(), name -> name.equals("Safe") ? "Nothing is lost." : "").ending())
                .endsWith("Here Safe is violated: Nothing is lost.");
    }

    @Test
    void theStoryOpensWithWhatSaysSomething() {
        assertThat(new Story(example(), action -> "").step(0))
                .containsExactly(
                        "0. Init",
                        "     b1 as leader: [isr: {b1, b2}, pending: none]",
                        "     log of b1: <<record 1 (epoch 0)>>",
                        "        b1   leader            |  0    hw 0  leo 1",
                        "        b2                     |       hw 0  leo 0",
                        "        (a number: a record, by its leader epoch; | high watermark; . fsynced so far)");
        assertThat(Opening.of(ValueParser.state("/\\ up = (b1 :> \"running\" @@ b2 :> \"running\")\n/\\ n = 1")))
                .containsExactly("n: 1", "process of each: running");
    }

    @Test
    void aPartitionOpensWithItsLeader() {
        Map<String, TlaValue> state = ValueParser.state(
                "/\\ metaLog = <<[type |-> \"init\", minIsr |-> 2, part |-> [leader |-> b1, leaderEpoch |-> 0,"
                        + " isr |-> {b1, b2}, elr |-> {}]]>>\n/\\ applied = (b1 :> 1)\n/\\ budget = [records |-> 1]\n"
                        + "/\\ pendingAcks = (b1 :> {[acks |-> \"all\", required |-> 1,"
                        + " entry |-> [offset |-> 0, epoch |-> 0, id |-> 1]]} @@ b2 :> {})\n/\\ metaHw = 1");
        assertThat(Opening.of(state))
                .containsExactly(
                        "b1 leads epoch 0, ISR {b1, b2}, min.insync.replicas 2",
                        "b1 holds back the answer for: {record 1 at offset 0 (epoch 0), acks=all}");
        assertThat(Opening.raw(state)).contains("budget = [records: 1]", "metaHw = 1");
    }

    @Test
    void budgetsAreToldToWhoAsksForAll() {
        Counterexample spent = Counterexample.of(
                "m",
                "Partition",
                "Safe",
                List.of(
                        new PrintedState(1, "Initial predicate", "/\\ budget = [kills |-> 1]\n/\\ hw = (b1 :> 0)"),
                        new PrintedState(2, "KillProcess(b1)", "/\\ budget = [kills |-> 0]\n/\\ hw = (b1 :> 1)")));
        assertThat(new Story(spent, action -> "").step(1))
                .containsExactly("1. KillProcess(b1)", "     high watermark of b1: 0 -> 1");
        assertThat(new Story(spent, action -> "", true).step(1))
                .containsExactly("1. KillProcess(b1)", "     budget.kills: 1 -> 0", "     hw[b1]: 0 -> 1");
    }

    @Test
    void oneOffsetStandsBelowTheOther() {
        assertThat(ReplicaPicture.of(ValueParser.state(
                        "/\\ log = (b1 :> <<[epoch |-> 0, id |-> 1], [epoch |-> 12, id |-> 2]>> @@ b2 :> <<[epoch |-> 0, id |-> 1]>>)\n"
                                + "/\\ hw = (b1 :> 2 @@ b2 :> 0)\n/\\ flushed = (b1 :> 0 @@ b2 :> 0)")))
                .containsExactly(
                        "b1                      .  0    12 |  hw 2  leo 2",
                        "b2                     |.  0          hw 0  leo 1");
    }

    @Test
    void itfKeepsAll() throws IOException {
        Path file = dir.resolve("sub").resolve("x.itf.json");
        Itf.write(example(), file);
        assertThat(Itf.read(file)).isEqualTo(example());
        assertThat(Files.readString(file))
                .contains(
                        "\"#map\"",
                        "\"#set\"",
                        "\"#bigint\" : \"-12345678901234567890\"",
                        "\"action\" : \"HandleFetch\"");
    }

    @Test
    void otherFilesAreRefusedWithTheirPlace() throws IOException {
        Path broken = Files.writeString(dir.resolve("broken"), "{\n  \"states\": [");
        assertThatThrownBy(() -> Itf.read(broken))
                .isInstanceOf(SpecException.class)
                .hasMessageStartingWith(broken + ":2:");
        Path empty = Files.writeString(dir.resolve("empty"), "{}");
        assertThatThrownBy(() -> Itf.read(empty)).hasMessageStartingWith(empty + ": has no states;");
        assertThatThrownBy(() -> Itf.read(dir.resolve("none"))).hasMessageContaining("no such file");
    }

    @Test
    void aLongRecordIsToldByWhatIsNewInIt() {
        Map<String, TlaValue> before =
                ValueParser.state("log = <<[type |-> \"init\", part |-> [leader |-> b1, epoch |-> 0,"
                        + " isr |-> {b1, b2, b3}, elr |-> {}, recovery |-> \"RECOVERED\"]]>>");
        Map<String, TlaValue> after = ValueParser.state(
                "log = <<[type |-> \"init\", part |-> [leader |-> b1, epoch |-> 0,"
                        + " isr |-> {b1, b2, b3}, elr |-> {}, recovery |-> \"RECOVERED\"]], [type |-> \"partition\", part |->"
                        + " [leader |-> b2, epoch |-> 1, isr |-> {b1, b2, b3}, elr |-> {}, recovery |-> \"RECOVERED\"]]>>");
        assertThat(Changes.between(before, after))
                .containsExactly("log: + #2 with leader: b1 -> b2, part.epoch: 0 -> 1");
    }
}
