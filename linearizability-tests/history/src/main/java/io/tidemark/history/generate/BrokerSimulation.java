package io.tidemark.history.generate;

import io.tidemark.history.KafkaOps;
import io.tidemark.history.Operation;
import io.tidemark.history.edn.Keyword;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Producers and consumers of a log that one broker keeps: correct, but for what the fault does. Half of the processes are
 * producers, each with several records under way, in order; the others are consumers of all partitions.
 */
final class BrokerSimulation {
    private static final int WINDOW = 4;
    private static final int FAULT_EVERY = 40;
    private static final int MAX_POLL = 20;
    private static final int FINAL_POLL = 500;
    private static final int CRASH_EVERY = 200;
    private static final long INVENTED = 1_000_000_000_000L;
    private static final long MAX_CRASHED = 10_000;

    /** A record under way. */
    private record Sending(long process, int client, SimulatedLog log, long value) {}

    /** A record with its acknowledgement, not told yet. */
    private record Appended(Sending sending, long offset, int epoch) {}

    /** A consumer: where it reads next, and whether it waits for an answer. */
    private static final class Reader {
        final long process;
        final int[] positions;
        boolean asked;

        Reader(long process, int partitions) {
            this.process = process;
            this.positions = new int[partitions];
        }
    }

    private final GeneratorSpec spec;
    private final HistoryGenerator.Output output;
    private final Chance chance;
    private final List<SimulatedLog> logs = new ArrayList<>();
    private final List<Deque<Sending>> pending = new ArrayList<>();
    private final List<Deque<Long>> idle = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final List<Appended> appended = new ArrayList<>();
    private final Map<SimulatedLog, Long> free = new LinkedHashMap<>();
    private long invoked;
    private long crashed;
    private long faults;
    private long nextValue;
    private long nextProcess;

    BrokerSimulation(GeneratorSpec spec, HistoryGenerator.Output output) {
        this.spec = spec;
        this.output = output;
        this.chance = new Chance(spec.seed());
        for (int i = 0; i < spec.partitions(); i++) {
            logs.add(new SimulatedLog(KafkaOps.key("t", i)));
        }
        int producers = Math.max(1, spec.processes() / 2);
        for (int i = 0; i < producers; i++) {
            pending.add(new ArrayDeque<>());
            Deque<Long> processes = new ArrayDeque<>();
            for (int j = 0; j < WINDOW; j++) {
                processes.add(nextProcess++);
            }
            idle.add(processes);
        }
        for (int i = producers; i < Math.max(producers + 1, spec.processes()); i++) {
            readers.add(new Reader(nextProcess++, spec.partitions()));
        }
    }

    void run() {
        while (invoked < spec.operations()) {
            int what = chance.below(8);
            if (what < 3) {
                send(chance.below(pending.size()));
            } else if (what < 5) {
                append(chance.below(pending.size()));
            } else if (what < 7) {
                acknowledge();
            } else {
                poll(readers.get(chance.below(readers.size())));
            }
        }
        for (int client = 0; client < pending.size(); client++) {
            while (!pending.get(client).isEmpty()) {
                append(client);
            }
        }
        while (!appended.isEmpty()) {
            acknowledge();
        }
        finalRead();
    }

    /** Now and then; and once it can happen, before half of the history is over. */
    private boolean now(Fault fault) {
        if (spec.fault() != fault) {
            return false;
        }
        boolean due = faults == 0 && invoked > spec.operations() / 2;
        if (due || chance.oneIn(FAULT_EVERY)) {
            faults++;
            return true;
        }
        return false;
    }

    private void send(int client) {
        Long process = idle.get(client).poll();
        if (process == null) {
            return;
        }
        SimulatedLog log = logs.get(chance.below(logs.size()));
        Sending sending = new Sending(process, client, log, nextValue++);
        invoked++;
        output.add(
                process,
                Operation.Type.INVOKE,
                KafkaOps.SEND,
                KafkaOps.sendInvoked(log.key, sending.value),
                null,
                Map.of(KafkaOps.CLIENT, (long) client));
        Long below = free.get(log);
        if (below != null && below < log.size() - WINDOW) {
            free.remove(log);
            log.fill(below, sending.value);
            appended.add(new Appended(sending, below, log.epoch()));
        } else {
            pending.get(client).add(sending);
        }
    }

    private void append(int client) {
        Deque<Sending> waiting = pending.get(client);
        if (waiting.isEmpty()) {
            return;
        }
        Sending sending = waiting.removeFirst();
        SimulatedLog log = sending.log;
        Sending next = waiting.peekFirst();
        if (next != null && next.log == log && now(Fault.OVERTAKE)) {
            waiting.removeFirst();
            waiting.addFirst(sending);
            sending = next;
        }
        if (chance.oneIn(CRASH_EVERY) && crashed < MAX_CRASHED) {
            crash(sending);
            return;
        }
        if (now(Fault.REFUSE_AND_APPEND)) {
            log.append(sending.value);
            end(sending, Operation.Type.FAIL, "refused");
            return;
        }
        if (now(Fault.FORGET)) {
            appended.add(new Appended(sending, log.leaveHole(), log.epoch()));
            return;
        }
        disturb(log);
        long offset = log.append(sending.value);
        if (now(Fault.APPEND_TWICE)) {
            log.append(sending.value);
        }
        appended.add(new Appended(sending, offset + (now(Fault.MISTELL_OFFSET) ? 1 : 0), log.epoch()));
    }

    private void disturb(SimulatedLog log) {
        if (log.size() > WINDOW && now(Fault.LOSE_TAIL)) {
            log.truncate(1 + chance.below(3));
            int partition = logs.indexOf(log);
            readers.forEach(reader -> reader.positions[partition] = Math.min(reader.positions[partition], log.size()));
        } else if (now(Fault.INVENT)) {
            log.append(INVENTED + faults);
        } else if (now(Fault.LEAVE_HOLE)) {
            log.leaveHole();
        } else if (!free.containsKey(log) && now(Fault.FILL_BELOW)) {
            free.put(log, log.leaveHole());
        }
    }

    /** Nobody learns how it ended: it may have been appended or not. Some are refused for certain instead. */
    private void crash(Sending sending) {
        crashed++;
        if (chance.oneIn(3)) {
            end(sending, Operation.Type.FAIL, "refused");
            return;
        }
        if (chance.oneIn(2)) {
            sending.log.append(sending.value);
        }
        end(sending, Operation.Type.INFO, "timeout");
    }

    private void end(Sending sending, Operation.Type type, String error) {
        output.add(
                sending.process,
                type,
                KafkaOps.SEND,
                KafkaOps.sendInvoked(sending.log.key, sending.value),
                new Keyword(error),
                Map.of(KafkaOps.CLIENT, (long) sending.client));
        idle.get(sending.client).add(type == Operation.Type.INFO ? nextProcess++ : sending.process);
    }

    private void acknowledge() {
        if (appended.isEmpty()) {
            return;
        }
        int last = appended.size() - 1;
        int i = chance.below(appended.size());
        Appended done = appended.get(i);
        appended.set(i, appended.get(last));
        appended.remove(last);
        Sending sending = done.sending;
        Map<Keyword, @Nullable Object> extra = new LinkedHashMap<>();
        extra.put(KafkaOps.CLIENT, (long) sending.client);
        if (tellsEpochs()) {
            extra.put(KafkaOps.LEADER_EPOCH, (long) done.epoch);
        }
        output.add(
                sending.process,
                Operation.Type.OK,
                KafkaOps.SEND,
                KafkaOps.sendAcked(sending.log.key, done.offset, sending.value),
                null,
                extra);
        idle.get(sending.client).add(sending.process);
    }

    private boolean tellsEpochs() {
        return spec.fault() == Fault.LOSE_TAIL;
    }

    private void poll(Reader reader) {
        if (!reader.asked) {
            reader.asked = true;
            invoked++;
            output.add(reader.process, Operation.Type.INVOKE, KafkaOps.POLL, KafkaOps.pollInvoked(), null, Map.of());
            return;
        }
        reader.asked = false;
        Map<String, List<KafkaOps.Polled>> given = new LinkedHashMap<>();
        Map<Object, Object> epochs = new LinkedHashMap<>();
        Map<Object, Object> ends = new LinkedHashMap<>();
        for (int partition = 0; partition < logs.size(); partition++) {
            SimulatedLog log = logs.get(partition);
            List<KafkaOps.Polled> records = records(reader, partition);
            int from = reader.positions[partition];
            if (!records.isEmpty()) {
                given.put(log.key, records);
                epochs.put(log.key, log.epochs(from, log.size()));
                reader.positions[partition] =
                        (int) records.get(records.size() - 1).offset() + 1;
            }
            ends.put(log.key, (long) log.size() - (now(Fault.STALE_END) ? Math.min(log.size(), 10) : 0));
        }
        Map<Keyword, @Nullable Object> extra = new LinkedHashMap<>();
        if (tellsEpochs()) {
            extra.put(KafkaOps.LEADER_EPOCHS, epochs);
        }
        if (spec.fault() == Fault.STALE_END || chance.oneIn(4)) {
            extra.put(KafkaOps.END_OFFSETS, ends);
        }
        output.add(reader.process, Operation.Type.OK, KafkaOps.POLL, KafkaOps.polled(given), null, extra);
    }

    private List<KafkaOps.Polled> records(Reader reader, int partition) {
        SimulatedLog log = logs.get(partition);
        int position = reader.positions[partition];
        if (position > 2 && now(Fault.REWIND)) {
            position -= 2;
        } else if (position < log.size() - 1 && position > 0 && now(Fault.SKIP)) {
            position++;
        }
        List<KafkaOps.Polled> records = log.read(position, MAX_POLL);
        if (records.size() > 1 && now(Fault.MIX_UP)) {
            records.set(
                    0,
                    new KafkaOps.Polled(records.get(0).offset(), records.get(1).value()));
            records.remove(1);
        }
        if (position + records.size() == log.size()) {
            unreplicated(log, records);
        }
        reader.positions[partition] = position;
        return records;
    }

    private void unreplicated(SimulatedLog log, List<KafkaOps.Polled> records) {
        for (Deque<Sending> waiting : pending) {
            Sending sending = waiting.peekLast();
            if (sending != null && sending.log == log && now(Fault.SERVE_UNREPLICATED)) {
                waiting.removeLast();
                records.add(new KafkaOps.Polled(log.size(), sending.value));
                end(sending, Operation.Type.INFO, "timeout");
                return;
            }
        }
    }

    private void finalRead() {
        long process = nextProcess++;
        List<String> keys = logs.stream().map(log -> log.key).toList();
        output.add(process, Operation.Type.INVOKE, KafkaOps.FINAL_READ, keys, null, Map.of());
        Map<String, KafkaOps.Extent> extents = new LinkedHashMap<>();
        for (SimulatedLog log : logs) {
            for (int from = 0; from < log.size(); from += FINAL_POLL) {
                Map<Keyword, @Nullable Object> extra = tellsEpochs()
                        ? Map.of(KafkaOps.LEADER_EPOCHS, Map.of(log.key, log.epochs(from, from + FINAL_POLL)))
                        : Map.of();
                output.add(process, Operation.Type.INVOKE, KafkaOps.POLL, KafkaOps.pollInvoked(), null, Map.of());
                output.add(
                        process,
                        Operation.Type.OK,
                        KafkaOps.POLL,
                        KafkaOps.polled(Map.of(log.key, log.read(from, FINAL_POLL))),
                        null,
                        extra);
            }
            extents.put(log.key, new KafkaOps.Extent(0, log.size(), true));
        }
        output.add(process, Operation.Type.OK, KafkaOps.FINAL_READ, KafkaOps.extents(extents), null, Map.of());
    }
}
