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
        Story story = new Story(example(), action -> action.equals("HandleFetch(b1, b2)") ? "A follower asks." : "");
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
                .endsWith("Here Safe is violated, which says: Nothing is lost.");
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

    private static String ballot(int epoch, String voted, String onDisk, String answers) {
        return "/\\ currentEpoch = (n1 :> " + epoch + " @@ n2 :> 1)\n/\\ votedKey = (n1 :> " + voted
                + " @@ n2 :> <<n2, 1>>)\n"
                + "/\\ leaderId = (n1 :> Nil @@ n2 :> Nil)\n/\\ role = (n1 :> \"Unattached\" @@ n2 :> \"Candidate\")\n"
                + "/\\ durable = (n1 :> " + onDisk + " @@ n2 :> [epoch |-> 1, voted |-> <<n2, 1>>, leader |-> Nil])\n"
                + "/\\ log = (n1 :> <<[epoch |-> 1, kind |-> \"leader\", id |-> 0, seen |-> 0, voters |-> {}]>> @@ n2 :> <<>>)\n"
                + "/\\ hw = (n1 :> 0 @@ n2 :> 0)\n/\\ flushed = (n1 :> 1 @@ n2 :> 0)\n/\\ voteResp = " + answers;
    }

    /** What matters in an election: who is in which epoch, voted for whom, and whether that is on disk. */
    @Test
    void aVoterIsToldWithItsEpochItsVoteAndItsDisk() {
        String disk = "[epoch |-> 0, voted |-> Nil, leader |-> Nil]";
        Map<String, TlaValue> before = ValueParser.state(ballot(0, "Nil", disk, "{}"));
        String answers = "{[from |-> n1, to |-> n2, epoch |-> 1, leader |-> Nil, ok |-> TRUE, granted |-> TRUE]}";
        Map<String, TlaValue> forgets = ValueParser.state(ballot(1, "<<n2, 1>>", disk, answers));
        assertThat(Changes.between(before, forgets))
                .containsExactlyInAnyOrder(
                        "epoch of n1: 0 -> 1, not on disk",
                        "vote of n1: none -> n2 (directory 1), not on disk",
                        "answers to vote requests on their way: {} -> {n1 grants n2 (epoch 1)}");
        Map<String, TlaValue> durable =
                ValueParser.state(ballot(1, "<<n2, 1>>", "[epoch |-> 1, voted |-> <<n2, 1>>, leader |-> Nil]", "{}"));
        assertThat(Changes.between(before, durable))
                .containsExactlyInAnyOrder(
                        "epoch of n1: 0 -> 1, on disk too", "vote of n1: none -> n2 (directory 1), on disk too");
        assertThat(Changes.between(forgets, ValueParser.state(ballot(1, "<<n1, 0>>", disk, answers))))
                .containsExactly("vote of n1: n2 (directory 1) -> n1, not on disk");
        assertThat(ReplicaPicture.of(durable))
                .containsExactly(
                        "n1   unattached  epoch 1, voted n2 (directory 1) |  1    hw 0  leo 1",
                        "n2   candidate   epoch 1, voted n2 (directory 1) |       hw 0  leo 0");
        assertThat(Opening.of(durable)).containsExactly("log of n1: <<LeaderChange (epoch 1)>>");
        assertThat(Opening.of(forgets)).anyMatch(line -> line.startsWith("quorum-state file of n2: "));
    }

    @Test
    void answersToFetchesAreToldInWords() {
        String answer = "[kind |-> \"fetch\", from |-> n1, ok |-> %s, epoch |-> 2, leader |-> n1, hw |-> 1, end |-> %s,"
                + " records |-> <<[epoch |-> 2, kind |-> \"data\", id |-> 7, seen |-> 0, voters |-> {}]>>, snapshot |-> %s]";
        assertThat(List.of(
                        told(answer.formatted("TRUE", "Nil", "Nil")),
                        told(answer.formatted("FALSE", "Nil", "Nil")),
                        told(answer.formatted("TRUE", "[epoch |-> 1, offset |-> 3]", "Nil")),
                        told(answer.formatted("TRUE", "Nil", "4"))))
                .containsExactly(
                        "from n1 (epoch 2): <<decision 7 (epoch 2)>>, hw 1",
                        "from n1 (epoch 2): refused, leader n1",
                        "from n1 (epoch 2): the logs part, epoch 1 ends at 3",
                        "from n1 (epoch 2): snapshot up to 4");
        assertThat(
                        told(
                                "[rec |-> [epoch |-> 2, kind |-> \"voters\", id |-> 0, seen |-> 0, voters |-> {n1}], by |-> 3]"))
                .isEqualTo("voters {n1} (epoch 2), by the leader of epoch 3");
    }

    @Test
    void aPartitionsMessagesAreToldInWords() {
        String asked =
                "[type |-> \"fetch\", from |-> b2, to |-> b1, brokerEpoch |-> 3, leaderEpoch |-> 1, offset |-> 4,"
                        + " lastEpoch |-> 0]";
        String answer =
                "[type |-> \"fetchAnswer\", to |-> b2, asked |-> " + asked + ", error |-> \"%s\", diverging |-> %s,"
                        + " records |-> <<%s>>, upTo |-> %s, hw |-> 5, logStart |-> %s]";
        assertThat(List.of(
                        told(answer.formatted("NONE", "Nil", "[epoch |-> 1, id |-> 7]", "5", "0")),
                        told(answer.formatted("NONE", "Nil", "", "4", "2")),
                        told(answer.formatted("NONE", "Nil", "", "5", "0")),
                        told(answer.formatted("NONE", "[epoch |-> 0, offset |-> 3]", "", "4", "0")),
                        told(answer.formatted("OFFSET_OUT_OF_RANGE", "Nil", "", "4", "5"))))
                .containsExactly(
                        "from b1 (leader epoch 1): <<record 7 (epoch 1)>> from offset 4, hw 5",
                        "from b1 (leader epoch 1): no records from offset 4, hw 5, log start 2",
                        "from b1 (leader epoch 1): records up to offset 5 from offset 4, hw 5",
                        "from b1 (leader epoch 1): the logs part, epoch 0 ends at 3, hw 5",
                        "from b1 (leader epoch 1): refused, OFFSET_OUT_OF_RANGE at offset 4, hw 5, log start 5");
        assertThat(told(asked))
                .isEqualTo("b2 fetches from offset 4 of b1 (leader epoch 1, broker epoch 3, last record of epoch 0)");
        String altered = "[error |-> \"%s\", leaderEpoch |-> 1, partitionEpoch |-> 4, isr |-> {b1, b2}, offset |-> 6]";
        String rest = ": ISR {b1, b2}, partition epoch 4, leader epoch 1, resting on 6 metadata records";
        assertThat(told(altered.formatted("NONE"))).isEqualTo("accepted" + rest);
        assertThat(told(altered.formatted("FENCED_LEADER_EPOCH"))).isEqualTo("refused, FENCED_LEADER_EPOCH" + rest);
        assertThat(told(altered.formatted("NEW_LEADER_ELECTED"))).isEqualTo("accepted, NEW_LEADER_ELECTED" + rest);
        assertThat(told("[type |-> \"alterPartition\", from |-> b1, brokerEpoch |-> 2, leaderEpoch |-> 1,"
                        + " partitionEpoch |-> 3, isr |-> {b1, b2}, epochs |-> (b1 :> 2 @@ b2 :> 3)]"))
                .isEqualTo("b1 asks for ISR {b1, b2} (partition epoch 3, leader epoch 1, broker epochs (b1: 2, b2: 3),"
                        + " its own 2)");
    }

    private static String told(String value) {
        return Words.value(ValueParser.state("x = " + value).get("x"));
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
