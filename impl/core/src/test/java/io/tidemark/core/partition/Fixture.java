package io.tidemark.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.Guard;
import io.tidemark.core.Guards;
import io.tidemark.core.ReplyToken;
import io.tidemark.core.Requires;
import io.tidemark.core.SpecAction;
import io.tidemark.core.Step;
import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.EpochStart;
import io.tidemark.core.log.LogState;
import io.tidemark.core.log.OffsetAndEpoch;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.LeaderRecovery;
import io.tidemark.core.metadata.PartitionRegistration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A replica to test: broker 1 of a partition on 1, 2 and 3, whose broker epochs are 101, 102 and 103, minIsr 2. Each
 * helper hands in one input; {@link #state} checks the local invariants after each.
 */
final class Fixture {
    static final RecordBytes BYTES = RecordBytes.EMPTY;
    static final short ALL = -1;

    record Token(String name) implements ReplyToken {}

    static final Token T = new Token("t");

    final PartitionCore core;
    final PartitionView view;
    private final PartitionInvariants invariants = new PartitionInvariants();
    private long metadataOffset = 10;

    Fixture(Guards guards, LogState log) {
        core = new PartitionCore(new PartitionConfig(1, guards), log);
        view = core.view();
        for (int broker = 1; broker <= 3; broker++) {
            step(new PartitionInput.ApplyBrokerChange(metadataOffset++, broker, 100 + broker, true));
        }
        step(new PartitionInput.ApplyMinIsrChange(metadataOffset++, 2));
    }

    static Fixture replica() {
        return new Fixture(Guards.ALL, LogState.empty());
    }

    /** {@code flush.messages=1}. */
    static Fixture flushing() {
        return flushing(1, LogState.empty());
    }

    static Fixture flushing(long messages, LogState log) {
        Fixture flushing = new Fixture(Guards.ALL, log);
        flushing.step(new PartitionInput.ApplyFlushChange(messages));
        return flushing;
    }

    static Fixture without(Guard guard) {
        return new Fixture(Guards.without(guard), LogState.empty());
    }

    /** A log with one record an entry of {@code epochs}. */
    static LogState log(long hw, int... epochs) {
        List<EpochStart> starts = new java.util.ArrayList<>();
        for (int offset = 0; offset < epochs.length; offset++) {
            if (offset == 0 || epochs[offset] != epochs[offset - 1]) {
                starts.add(new EpochStart(epochs[offset], offset));
            }
        }
        return new LogState(0, epochs.length, epochs.length, hw, starts, List.of());
    }

    static Fixture with(Guards guards, LogState log) {
        return new Fixture(guards, log);
    }

    // Steps

    Step<PartitionEffect> step(PartitionInput input) {
        Step<PartitionEffect> step = core.apply(input);
        assertThat(invariants.check(view)).isEmpty();
        return step;
    }

    /** The effects of a step of {@code action}. */
    List<PartitionEffect> takes(SpecAction action, PartitionInput input) {
        Step<PartitionEffect> step = step(input);
        assertThat(step.action()).isEqualTo(action);
        return step.effects();
    }

    /** The effects of an input that changes nothing. */
    List<PartitionEffect> refuses(PartitionInput input) {
        PartitionState before = view.copy();
        Step<PartitionEffect> step = step(input);
        assertThat(step.action()).isNull();
        assertThat(view.copy()).isEqualTo(before);
        return step.effects();
    }

    List<PartitionEffect> apply(int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        return takes(
                SpecAction.ApplyPartitionChange,
                new PartitionInput.ApplyPartitionChange(
                        metadataOffset++, registration(leader, leaderEpoch, partitionEpoch, isr)));
    }

    List<PartitionEffect> applyBroker(int broker, long epoch, boolean active) {
        return takes(
                SpecAction.ApplyBrokerChange,
                new PartitionInput.ApplyBrokerChange(metadataOffset++, broker, epoch, active));
    }

    List<PartitionEffect> applyMinIsr(int minIsr) {
        return takes(SpecAction.ApplyMinIsrChange, new PartitionInput.ApplyMinIsrChange(metadataOffset++, minIsr));
    }

    /** Leads in epoch 1, partition epoch 1, with this ISR. */
    Fixture leads(Integer... isr) {
        apply(1, 1, 1, isr);
        return this;
    }

    /** Follows broker 2 in {@code leaderEpoch}. */
    Fixture follows(int leaderEpoch) {
        apply(2, leaderEpoch, leaderEpoch, 1, 2, 3);
        return this;
    }

    /** Appends {@code count} records with acks=1. */
    Fixture writes(int count) {
        for (int i = 0; i < count; i++) {
            takes(SpecAction.HandleProduce, produce(1, batch(1)));
        }
        return this;
    }

    /** The follower fetches at {@code offset} with its registered broker epoch. */
    List<PartitionEffect> fetches(int follower, long offset) {
        return takes(SpecAction.HandleFetch, fetch(follower, offset));
    }

    // Inputs

    static PartitionRegistration registration(int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        return new PartitionRegistration(
                List.of(1, 2, 3),
                List.of(),
                Arrays.asList(isr),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                leader,
                LeaderRecovery.RECOVERED,
                leaderEpoch,
                partitionEpoch);
    }

    static PartitionInput.HandleProduce produce(int acks, BatchHeader batch) {
        return produce(acks, batch, T);
    }

    static PartitionInput.HandleProduce produce(int acks, BatchHeader batch, Token token) {
        return new PartitionInput.HandleProduce((short) acks, batch, BYTES, token);
    }

    /** A batch of {@code count} records as a producer without an id sends it. */
    static BatchHeader batch(int count) {
        return new BatchHeader(0, count - 1, -1, 100, 1000, -1, (short) -1, -1, false, false);
    }

    static BatchHeader batch(int count, long producerId, int epoch, int sequence) {
        return new BatchHeader(0, count - 1, -1, 100, 1000, producerId, (short) epoch, sequence, false, false);
    }

    /** With its registered broker epoch and, in leader epoch 1, all that it has from there. */
    PartitionInput.HandleFetch fetch(int follower, long offset) {
        return fetch(follower, 100 + follower, 1, offset, view.epochAt(offset - 1));
    }

    static PartitionInput.HandleFetch fetch(
            int follower, long brokerEpoch, int leaderEpoch, long offset, int lastFetchedEpoch) {
        return new PartitionInput.HandleFetch(follower, brokerEpoch, leaderEpoch, offset, lastFetchedEpoch, T);
    }

    static PartitionInput.ReplicaLagTimeout lag(Integer... laggards) {
        return new PartitionInput.ReplicaLagTimeout(new TreeSet<>(Arrays.asList(laggards)));
    }

    /** The answer to the live fetch, with one record an entry of {@code epochs} from its offset on. */
    PartitionInput.HandleFetchResponse answer(long hw, int... epochs) {
        FetchAsked asked = view.asked();
        return answer(asked, ErrorCode.NONE, null, hw, 0, epochs);
    }

    static PartitionInput.HandleFetchResponse answer(
            FetchAsked asked,
            ErrorCode error,
            @Nullable OffsetAndEpoch diverging,
            long hw,
            long logStart,
            int... epochs) {
        BatchHeader[] batches = new BatchHeader[epochs.length];
        for (int i = 0; i < epochs.length; i++) {
            batches[i] = record(asked.offset() + i, epochs[i]);
        }
        return new PartitionInput.HandleFetchResponse(asked, error, diverging, List.of(batches), BYTES, hw, logStart);
    }

    PartitionInput.HandleFetchResponse diverging(long endOffset, int epoch, long hw) {
        return answer(view.asked(), ErrorCode.NONE, new OffsetAndEpoch(endOffset, epoch), hw, 0);
    }

    static BatchHeader record(long offset, int epoch) {
        return batch(1).assigned(offset, epoch);
    }

    // Expected

    static PartitionEffect acked(Token token, long baseOffset) {
        return new PartitionEffect.ReplyProduce(token, ErrorCode.NONE, baseOffset, 0, Requires.NOTHING);
    }

    static PartitionEffect failed(Token token, ErrorCode error) {
        return new PartitionEffect.ReplyProduce(token, error, -1, -1, Requires.NOTHING);
    }

    static PartitionEffect append(BatchHeader batch) {
        return new PartitionEffect.Append(batch, BYTES);
    }

    static PartitionEffect leo(long leo) {
        return new PartitionEffect.LeoMoved(leo);
    }

    static PartitionEffect hw(long hw) {
        return new PartitionEffect.HwMoved(hw);
    }

    static PartitionEffect epochs(EpochStart... starts) {
        return new PartitionEffect.EpochsChanged(List.of(starts));
    }

    static PartitionEffect fetched(FetchAnswer answer) {
        return new PartitionEffect.ReplyFetch(T, answer);
    }

    PartitionEffect readable(long from, long upTo, long hw) {
        return fetched(new FetchAnswer(ErrorCode.NONE, from, upTo, hw, 0, null, leader(), leaderEpoch()));
    }

    PartitionEffect notReadable(ErrorCode error) {
        return fetched(new FetchAnswer(error, -1, -1, -1, -1, null, leader(), leaderEpoch()));
    }

    PartitionEffect misplaced(ErrorCode error, @Nullable OffsetAndEpoch diverging) {
        return fetched(new FetchAnswer(error, -1, -1, view.hw(), view.logStart(), diverging, leader(), leaderEpoch()));
    }

    private int leader() {
        return view.part() == null ? -1 : view.part().leader();
    }

    private int leaderEpoch() {
        return view.part() == null ? -1 : view.part().leaderEpoch();
    }

    static PartitionEffect ask(FetchAsked asked) {
        return new PartitionEffect.Fetch(asked, Requires.NOTHING);
    }

    static AlterPartitionAsked asking(int partitionEpoch, AlterPartitionAsked.Member... members) {
        return new AlterPartitionAsked(1, partitionEpoch, List.of(members), LeaderRecovery.RECOVERED);
    }

    static AlterPartitionAsked.Member member(int broker, long epoch) {
        return new AlterPartitionAsked.Member(broker, epoch);
    }

    static AlterPartitionAnswer granted(int leaderEpoch, int partitionEpoch, Integer... isr) {
        return new AlterPartitionAnswer(
                ErrorCode.NONE, 1, leaderEpoch, partitionEpoch, Arrays.asList(isr), LeaderRecovery.RECOVERED);
    }

    /** The controller's answer to what is pending. */
    PartitionInput.HandleAlterPartitionResponse answered(AlterPartitionAnswer answer) {
        return new PartitionInput.HandleAlterPartitionResponse(view.isrState().asked(), answer);
    }
}
