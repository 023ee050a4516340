package io.tidemark.storage;

import io.tidemark.core.log.EpochStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code leader-epoch-checkpoint}: a line {@code epoch startOffset} for each leader epoch that wrote. */
final class EpochFile {
    static final String NAME = "leader-epoch-checkpoint";

    private EpochFile() {}

    static String encode(List<EpochStart> epochs) {
        List<String> entries = new ArrayList<>(epochs.size());
        epochs.forEach(start -> entries.add(start.epoch() + " " + start.startOffset()));
        return Checkpoint.encode(entries);
    }

    /**
     * The entries, epochs and offsets rising; none if there is no file.
     *
     * @throws MalformedFileException if it is malformed
     */
    static List<EpochStart> read(Disk disk, Path dir) throws IOException {
        Path file = dir.resolve(NAME);
        List<EpochStart> epochs = new ArrayList<>();
        EpochStart last = new EpochStart(-1, -1);
        List<String> entries = Checkpoint.read(disk, file);
        for (int i = 0; i < entries.size(); i++) {
            String[] fields = Checkpoint.fields(file, i, entries.get(i), 2);
            long epoch = Checkpoint.number(file, i, fields[0]);
            long start = Checkpoint.number(file, i, fields[1]);
            if (epoch > Integer.MAX_VALUE || epoch <= last.epoch() || start < last.startOffset()) {
                throw new MalformedFileException(file + ":" + (i + 3) + ": expected rising epochs and offsets, found: "
                        + entries.get(i) + " after " + last.epoch() + " " + last.startOffset());
            }
            last = new EpochStart((int) epoch, start);
            epochs.add(last);
        }
        return epochs;
    }
}
