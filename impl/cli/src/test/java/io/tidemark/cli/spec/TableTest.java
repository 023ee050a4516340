package io.tidemark.cli.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.contract.Terminal;
import io.tidemark.cli.contract.Wrap;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void aNarrowScreenGetsFewerColumns() {
        Table table = new Table("name", "found", ">size", "purpose");
        table.row("a-name-that-is-far-too-long-for-a-column", "never", 12, "What it is for, in one sentence.");
        assertThat(table.within(100)).isEqualTo("""
                        name                            found  size  purpose
                        a-name-that-is-far-too-long-for-a-column
                                                        never    12  What it is for, in one sentence.
                        """);
        assertThat(table.within(65).lines().toList().get(2))
                .isEqualTo("                                never    12  What it is for, i...");
        assertThat(table.within(50).lines().toList().get(2)).isEqualTo("                                never    12");
        assertThat(table.within(40).lines().toList().get(2)).isEqualTo("                                never");
    }

    @Test
    void aListIsFoldedAndLosesNothing() {
        Table table = new Table("guard", "action", "rule");
        table.row("vote-once", "HandleVote", "One vote in an epoch, which is on disk before the answer.");
        assertThat(table.folded(50)).isEqualTo("""
                        guard      action      rule
                        vote-once  HandleVote  One vote in an epoch, which
                                               is on disk before the
                                               answer.
                        """);
        assertThat(table.folded(40)).isEqualTo("""
                        guard  action  rule
                        vote-once  HandleVote  One vote in an
                            epoch, which is on disk before the
                            answer.
                        """);
        assertThat(table.folded(Wrap.NOWHERE)).isEqualTo(table.toString());
    }

    @Test
    void nothingIsCutButOnATerminal() {
        Table table = new Table("name", "purpose");
        String name = "a-name-that-is-far-too-long-for-a-column";
        String purpose = "What it is for, ".repeat(20) + "in one sentence.";
        table.row(name, purpose);
        assertThat(table.within(Wrap.cutting(new Terminal(false, false, 120))))
                .endsWith("\n" + name + "  " + purpose + "\n");
        assertThat(table.within(Wrap.cutting(new Terminal(true, false, 120))).lines())
                .allMatch(line -> line.length() <= 120)
                .anyMatch(line -> line.endsWith("..."));
    }
}
