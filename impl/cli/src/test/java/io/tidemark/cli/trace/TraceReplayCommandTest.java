package io.tidemark.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.Cli;
import io.tidemark.cli.Schemas;
import io.tidemark.cli.contract.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A counterexample of TLC on the cores, from the command line. */
class TraceReplayCommandTest {
    private static final Path SAVED =
            Cli.ROOT.resolve("impl/cli/src/test/resources/traces/without-pre-vote-fetched.itf.json");

    private static final Path PARTITION =
            Cli.ROOT.resolve("impl/cli/src/test/resources/traces/without-ack-after-hw.itf.json");

    @TempDir
    Path directory;

    private Path changed(String from, String to) throws IOException {
        String text = Files.readString(SAVED);
        assertThat(text).contains(from);
        return Files.writeString(directory.resolve("changed.itf.json"), text.replace(from, to));
    }

    @Test
    void withoutTheGuardItBreaksAndWithItAStepIsRefused() {
        Cli run = Cli.run("trace", "replay", SAVED.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("   2  same     differs     HandleVoteRequest(n2, n3)")
                .endsWith(
                        "HOLDS: without pre-vote-fetched the code breaks Undisturbed as well; with all guards it refuses"
                                + " step 2: pre-vote-fetched\n");
    }

    @Test
    void aCounterexampleOfThePartition() {
        Cli run = Cli.run("trace", "replay", PARTITION.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .endsWith(
                        "HOLDS: without ack-after-hw the code breaks AckedDurable as well; with all guards it refuses step"
                                + " 2: ack-after-hw\n");
    }

    @Test
    void theDocument() throws IOException {
        Cli run = Cli.run("--format", "json", "trace", "replay", SAVED.toString());
        JsonNode document = Schemas.validated("trace-replay", run.out());
        assertThat(document.path("result").asText()).isEqualTo("GUARDED");
        assertThat(document.path("shown").asBoolean()).isTrue();
        assertThat(document.path("refusedAt").asInt()).isEqualTo(2);
        assertThat(document.path("refusedBy").path(0).asText()).isEqualTo("pre-vote-fetched");
        assertThat(document.path("steps")).hasSize(4);
    }

    /** Another state than the code's: told with the variable, and no success. */
    @Test
    void aStepThatTheCodeTakesElsewhereFails() throws IOException {
        Path file = changed("\"Off\" : \"= {\\\"pre-vote-fetched\\\"}\"", "\"Off\" : \"= {}\"");
        Cli run = Cli.run("trace", "replay", file.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(run.out()).contains("voteResp: specification [", "VIOLATED: the code takes elsewhere step 2");
        assertThat(Cli.run("trace", "replay", "--without", "pre-vote-fetched", file.toString())
                        .exitCode())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void badInputIsOneLine() throws IOException {
        assertThat(Cli.run("trace", "replay", "--without", "vote-onec", SAVED.toString())
                        .err())
                .isEqualTo("tidemark: --without: unknown guard 'vote-onec'; did you mean vote-once?\n");
        Cli action = Cli.run(
                "trace", "replay", changed("HandleVoteRequest", "HandleNothing").toString());
        assertThat(action.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(action.err())
                .isEqualTo(
                        "tidemark: step 2: no action HandleNothing in module Quorum; a trace that spec check has saved,"
                                + " with the arguments of its actions\n");
        Cli value = Cli.run("trace", "replay", changed("\"Follower\"", "7").toString());
        assertThat(value.exitCode()).isEqualTo(ExitCode.INPUT);
        assertThat(Cli.run("trace", "replay", directory.resolve("none").toString())
                        .exitCode())
                .isEqualTo(ExitCode.INPUT);
    }
}
