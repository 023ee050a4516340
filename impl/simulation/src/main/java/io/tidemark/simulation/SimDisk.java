package io.tidemark.simulation;

import io.tidemark.core.log.BatchHeader;
import io.tidemark.core.log.RecordBytes;
import io.tidemark.core.metadata.MetadataCodec;
import io.tidemark.core.quorum.ControlRecord;
import io.tidemark.core.quorum.VoterSet;
import io.tidemark.storage.BatchFormat;
import io.tidemark.storage.CorruptBatchException;
import io.tidemark.storage.FileHandle;
import io.tidemark.storage.LogDirectory;
import io.tidemark.storage.MetaProperties;
import io.tidemark.storage.PartitionMetadata;
import io.tidemark.storage.QuorumStateFile;
import io.tidemark.storage.memory.Faults;
import io.tidemark.storage.memory.MemoryDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The disk of one node, what is wrong with it, and what of that had an effect. What a power loss leaves is in {@link
 * MemoryDisk}.
 *
 * <ul>
 *   <li><b>disk-full</b>: a few bytes more, then writes fail after a part of them; the node stops, and again at each start.
 *   <li><b>fsync-error</b>: the next force of a file or directory fails, before it did anything.
 *   <li><b>fsync-lie</b>: forces of partitions' {@code .log} files do nothing. In an orderly end of the process the disk
 *       keeps its word. After a power loss the recovery points and the mark of a clean stop are removed, so that the node
 *       reads its logs from their beginning: what they say of a disk that lied is worth nothing.
 *   <li><b>read-corruption</b>: a read of a partition's log of a process that has started has a bit flipped in the records of
 *       a batch, which its CRC covers. What is on the disk stays right: the next read has it.
 *   <li><b>slow-disk</b>: see {@link SimFlush}.
 * </ul>
 */
final class SimDisk {
    /** What happens to the process where its disk fails in a way that it cannot survive. */
    interface Deaths {
        void dies(Faults.Effect effect, Path path, boolean after, boolean power);
    }

    static final Path DIR = Path.of("/data");
    static final String METADATA = "__cluster_metadata-0";
    private static final UUID METADATA_TOPIC = new UUID(0L, 1L);
    private static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";
    private static final String CLEAN_MARK = ".kafka_cleanshutdown";
    static final String LOG_FILE = ".log";
    private static final int CORRUPTED_ONE_IN = 8;
    private static final Pattern CHECKPOINT = Pattern.compile("(?m)^(\\S+) (\\d+) (\\d+)$");
    private static final Pattern BALLOT = Pattern.compile("\"leaderEpoch\":(\\d+),\"votedId\":(-?\\d+)");

    private final int node;
    private final RandomGenerator random;
    private final Deaths deaths;
    private MemoryDisk disk = new MemoryDisk();
    private long effects;
    private Effects.@Nullable Injection full;
    private Effects.@Nullable Injection failing;
    private Effects.@Nullable Injection lying;
    private Effects.@Nullable Injection corrupting;
    private boolean failsWithPower;
    private final Map<String, Long> shown = new TreeMap<>();
    /** Something may be said to be on disk and not be there. */
    private boolean lied;

    private long corruptedReads;
    private Consumer<Boolean> lies = now -> {};

    SimDisk(int node, RandomGenerator random, Deaths deaths) {
        this.node = node;
        this.random = random;
        this.deaths = deaths;
        install();
    }

    /** @param lies is told when it begins to lie about forces, and when it ends */
    void watch(Consumer<Boolean> lies) {
        this.lies = lies;
    }

    MemoryDisk memory() {
        return disk;
    }

    /**
     * Formats it, as the format command does.
     *
     * @param voters what the metadata log begins with; null where the voters are in the configuration, or it is no voter
     */
    void format(String cluster, UUID directory, MetadataCodec codec, @Nullable VoterSet voters) {
        try {
            if (voters != null) {
                RecordBytes first = codec.encodeControl(
                        List.of(new ControlRecord.KRaftVersion((short) 1), new ControlRecord.Voters(voters)), 0L);
                Path log = DIR.resolve(METADATA);
                disk.createDirectories(log);
                PartitionMetadata.write(disk, log, METADATA_TOPIC);
                try (FileHandle file = disk.open(log.resolve("00000000000000000000.log"), true)) {
                    file.write(first.buffer().duplicate(), 0);
                    file.force();
                }
                disk.syncDirectory(log);
                disk.syncDirectory(DIR);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LogDirectory.format(disk, DIR, new MetaProperties(node, cluster, directory));
    }

    /** An empty one in its place; what waited to go wrong with the old one does not happen to it. */
    void replace() {
        disk = new MemoryDisk();
        failing = null;
        honest();
        lied = false;
        if (full == null) {
            install();
        } else {
            free();
        }
    }

    /** Whether the vote in an epoch, or a later epoch, is there after any power loss. */
    boolean holdsVote(int epoch, int candidate) {
        byte[] content = disk.certain(DIR.resolve(METADATA).resolve(QuorumStateFile.NAME));
        Matcher ballot = BALLOT.matcher(content == null ? "" : new String(content, StandardCharsets.UTF_8));
        if (!ballot.find()) {
            return false;
        }
        int held = Integer.parseInt(ballot.group(1));
        return held > epoch || (held == epoch && Integer.parseInt(ballot.group(2)) == candidate);
    }

    /** Whether this end of a log, above 0, is another one than was shown last. */
    boolean showsMore(String log, long end) {
        Long before = shown.put(log, end);
        return end > 0 && (before == null || before != end);
    }

    /**
     * Whether the records of a log below {@code end} are there after any power loss. A disk that lies is not asked: nobody
     * can know better.
     *
     * @param log the directory's name
     */
    boolean holdsRecords(String log, long end) {
        if (lied) {
            return true;
        }
        try {
            Path segment = null;
            for (Path file : disk.list(DIR.resolve(log))) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(LOG_FILE) && baseOffset(name) < end) {
                    segment = file; // They are sorted, and so are their base offsets.
                }
            }
            byte[] content = segment == null ? null : disk.forced(segment);
            return content != null && endOffset(content) >= end;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is below a recovery point is on disk: recovery will not look at it. */
    private void recoveryPointsHold(Path checkpoint) throws IOException {
        Matcher entries = CHECKPOINT.matcher(text(checkpoint));
        while (entries.find()) {
            String log = entries.group(1) + "-" + entries.group(2);
            long point = Long.parseLong(entries.group(3));
            Invariants.require(
                    !beginsBelow(log, point) || holdsRecords(log, point),
                    "RecoveryPointsOnDisk",
                    "node " + node + " writes the recovery point " + point + " of " + log
                            + ", and may lose what is below");
        }
    }

    private String text(Path file) throws IOException {
        try (FileHandle content = disk.open(file, false)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) content.size());
            content.read(bytes, 0);
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    /** Whether a log has a segment that begins below an offset. */
    private boolean beginsBelow(String log, long offset) throws IOException {
        Path directory = DIR.resolve(log);
        return disk.exists(directory)
                && disk.list(directory).stream()
                        .map(file -> String.valueOf(file.getFileName()))
                        .anyMatch(name -> name.endsWith(LOG_FILE) && baseOffset(name) < offset);
    }

    private static long baseOffset(String name) {
        return Long.parseLong(name.substring(0, name.length() - LOG_FILE.length()));
    }

    /** Behind the last whole batch. */
    private static long endOffset(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        long end = -1;
        try {
            for (int at = 0; at < segment.length; ) {
                BatchHeader batch = BatchFormat.header(bytes, at, segment.length - at);
                at += batch.sizeInBytes();
                end = at <= segment.length ? batch.nextOffset() : end;
            }
        } catch (CorruptBatchException unfinished) {
            return end;
        }
        return end;
    }

    /** The machine stopped; returns whether anything was not durable. */
    boolean losePower() {
        return losePower(random);
    }

    /** As above; {@code draws} says what of it is left. */
    boolean losePower(RandomGenerator draws) {
        MemoryDisk.NotDurable lost = disk.losePower(draws);
        if (lost.lied()) {
            Effects.took(lying);
            forgetCheckpoints();
        }
        honest();
        lied = false;
        install();
        return lost.any();
    }

    private void honest() {
        if (lying != null) {
            lying = null;
            lies.accept(false);
        }
    }

    private void forgetCheckpoints() {
        disk.setFaults(Faults.NONE);
        try {
            disk.delete(DIR.resolve(RECOVERY_POINTS));
            disk.delete(DIR.resolve(CLEAN_MARK));
            disk.syncDirectory(DIR);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code room} bytes more fit until {@link #free}. */
    void fill(Effects.Injection injection, long room) {
        full = injection;
        disk.setCapacity(disk.used() + room);
    }

    void free() {
        full = null;
        disk.setCapacity(Long.MAX_VALUE);
        install();
    }

    /** Why nothing can be written, null where all is well. */
    Effects.@Nullable Injection full() {
        return full;
    }

    /** The next fsync of a file or directory fails; the machine may lose power with the process that stops then. */
    void failNextForce(Effects.Injection injection, boolean power) {
        failing = injection;
        failsWithPower = power;
        install();
    }

    void lie(Effects.Injection injection) {
        lying = injection;
        lies.accept(true);
        lied = true;
        install();
    }

    /** The process ended in order. */
    void keepPromises() {
        disk.keepPromises();
        lied = lying != null;
    }

    void corrupt(Effects.@Nullable Injection injection) {
        corrupting = injection;
        install();
    }

    Effects.@Nullable Injection corrupting() {
        return corrupting;
    }

    /**
     * What was read.
     *
     * @param corruptedBy what corrupted a part of it; null where all of it was read as it is on the disk
     */
    record Read<T>(T value, Effects.@Nullable Injection corruptedBy) {}

    /** Reads, and says whether that was corrupted. */
    <T> Read<T> read(Supplier<T> reading) {
        long before = corruptedReads;
        T value = reading.get();
        return new Read<>(value, corruptedReads > before ? corrupting : null);
    }

    /** Ends what is wrong; what was a lie stays one. */
    void repair() {
        failing = null;
        corrupting = null;
        free();
    }

    private void install() {
        disk.setFaults(new Watched());
    }

    /** What goes wrong, and what is looked at. */
    private final class Watched implements Faults {
        @Override
        public void after(Effect effect, Path path) throws IOException {
            if (effect == Effect.RENAME && path.endsWith(RECOVERY_POINTS)) {
                recoveryPointsHold(path);
            }
        }

        @Override
        public void before(Effect effect, Path path) throws IOException {
            Effects.Injection injection = failing;
            if (injection == null || (effect != Effect.FORCE && effect != Effect.SYNC_DIRECTORY)) {
                return;
            }
            failing = null;
            install();
            injection.took();
            deaths.dies(effect, path, false, failsWithPower);
            throw new IOException("Input/output error");
        }

        @Override
        public boolean lies(Effect effect, Path path) {
            return lying != null && effect == Effect.FORCE && isPartitionLog(path);
        }

        @Override
        public void reading(Path path, long position, byte[] bytes) {
            if (corrupting != null && isPartitionLog(path) && random.nextInt(CORRUPTED_ONE_IN) == 0) {
                SimBatch.corrupt(position, bytes, random);
                corruptedReads++;
            }
        }
    }

    private static boolean isPartitionLog(Path path) {
        return path.toString().endsWith(LOG_FILE) && !path.startsWith(DIR.resolve(METADATA));
    }

    /**
     * The process will die at the {@code number}th effect on its disk from now on, before or after it took place; and with
     * it, where {@code power}, the machine. 0 only counts.
     */
    void dieAtEffect(long number, boolean after, boolean power) {
        effects = 0;
        disk.setFaults(new Faults() {
            @Override
            public void before(Effect effect, Path path) {
                if (++effects == number && !after) {
                    die(effect, path);
                }
            }

            @Override
            public void after(Effect effect, Path path) {
                if (effects == number && after) {
                    die(effect, path);
                }
            }

            private void die(Effect effect, Path path) {
                disk.setFaults(Faults.NONE);
                deaths.dies(effect, path, after, power);
                throw new Incarnation.Death();
            }
        });
    }

    /** Effects on the disk since {@link #dieAtEffect}. */
    long effects() {
        return effects;
    }
}
