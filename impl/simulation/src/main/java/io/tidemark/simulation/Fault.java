package io.tidemark.simulation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The faults of the command line that the simulator has. Each counts as injected when it begins, and as effective by what
 * {@link #evidence()} says: a message that was lost although nobody waited for its answer, or a power loss with nothing that
 * was not on disk, is no effect.
 *
 * <p>The atlas, what a fault never takes, so that a loss is a bug or has a {@link Exposure.Ground}: the disk of a voter is
 * wiped at most once in a run, and only where voters have directory ids (there are no changes of voters yet: it is lost to
 * the quorum), and never two disks at once; a disk lies about partitions' logs alone, never about the metadata log or a
 * vote, and after a power loss of it its node's logs are read from their beginning; a corrupted read is of one batch's
 * records on its way to another node or a client, its next read is right; every fault ends.
 */
public enum Fault implements Act {
    KILL("the process dies; what it wrote to the page cache stays", "a process that lived is gone"),
    FREEZE("the process stands still, then goes on: a zombie", "something was to run while it stood still"),
    RESTART("a clean stop and a start", "the process ended in order"),
    ROLLING_RESTART("a clean stop and a start of every node, one after the other", "at least two ended in order"),
    POWER_LOSS(
            "of what was not fsynced each write is lost, kept or torn",
            "something was not fsynced when the machine stopped"),
    WIPE_DISK("the disk is replaced by an empty one", "the disk held records of the topic under load"),
    DISK_FULL("a few writes more, then no space is left", "a write failed for it"),
    SLOW_DISK("an fsync takes up to seconds", "an fsync waited"),
    FSYNC_ERROR("an fsync fails; the machine may lose power with the process that stops then", "an fsync failed"),
    FSYNC_LIE(
            "fsyncs of partitions' logs report success and do nothing; then the machine loses power",
            "something that was said to be on disk was not when the machine stopped"),
    READ_CORRUPTION(
            "reads of a log now and then have a flipped bit in a batch's records",
            "such a batch arrived at a replica or a consumer, which saw that its CRC is wrong"),
    PARTITION("nodes are cut off from the others", "somebody waited for an answer until its time-out"),
    ONE_WAY("a node's messages do not arrive, those to it do", "somebody waited for an answer until its time-out"),
    BRIDGE(
            "two halves do not hear one another, one node between them hears both",
            "somebody waited for an answer until its time-out"),
    RING("each node hears its two neighbours alone", "somebody waited for an answer until its time-out"),
    LATENCY("messages take long", "a message arrived later than any does in calm"),
    BANDWIDTH("messages of a link wait for one another", "a message waited for another longer than any takes in calm"),
    RESET("connections break", "a request was under way, its asker heard that the connection is gone"),
    MESSAGE_LOSS("messages are lost", "somebody waited for an answer until its time-out"),
    DUPLICATE("requests arrive twice, the second time late", "the second arrived at a process that lived"),
    REORDER("messages of a link overtake one another", "an earlier message arrived behind a later one"),
    CLOCK_SKEW("the wall clock is wrong by a constant", "the clock was read while it was wrong"),
    CLOCK_JUMP("the wall clock jumps, forwards or back", "the clock was read on both sides of the jump"),
    ISR_LAG("a replica's fetches do not arrive until it leaves the ISR", "a leader took it out of the ISR for lagging"),
    LEADER_MOVE("the operator elects preferred leaders", "the controller says that it elected one"),
    UNCLEAN_ELECTION("the operator elects leaders uncleanly", "the controller says that it elected one"),
    RACK_LOSS(
            "all machines of a rack lose power",
            "a process that lived is gone, with a machine of its rack or alone there"),
    CONTROLLER_LOSS("controllers die, the active one among them", "the active controller is gone");

    private final String effect;
    private final String evidence;

    Fault(String effect, String evidence) {
        this.effect = effect;
        this.evidence = evidence;
    }

    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it does. */
    public String effect() {
        return effect;
    }

    /** When it counts as effective. */
    public String evidence() {
        return evidence;
    }

    /** The fault of that name, if there is one. */
    public static Optional<Fault> of(String label) {
        return Arrays.stream(values())
                .filter(fault -> fault.label().equals(label))
                .findFirst();
    }
}
