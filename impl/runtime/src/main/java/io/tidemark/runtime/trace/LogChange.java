package io.tidemark.runtime.trace;

import io.tidemark.core.log.EpochStart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A log by the epochs of its records, told as a change: how far it was cut, what was appended, where it ends. */
final class LogChange {
    private List<EpochStart> starts = List.of();
    private long end;

    /**
     * Null where the log is as it was. What is below its start stays as it was told; a log that starts past its old end is
     * another one.
     */
    @Nullable
    Map<String, @Nullable Object> next(List<EpochStart> nowStarts, long nowStart, long nowEnd) {
        long kept = nowStart > end ? 0 : kept(nowStarts, nowStart, nowEnd);
        boolean cut = kept < end;
        if (!cut && nowEnd == end) {
            starts = nowStarts;
            return null;
        }
        Map<String, @Nullable Object> change = new LinkedHashMap<>();
        change.put("truncatedTo", cut ? kept : null);
        change.put("appended", runs(nowStarts, kept, nowEnd));
        change.put("leo", nowEnd);
        starts = nowStarts;
        end = nowEnd;
        return change;
    }

    /** How many records from the start on have the epochs that they had. */
    private long kept(List<EpochStart> nowStarts, long nowStart, long nowEnd) {
        long most = Math.min(end, nowEnd);
        long offset = Math.min(most, nowStart);
        while (offset < most && epochAt(starts, offset) == epochAt(nowStarts, offset)) {
            offset = Math.min(most, Math.min(nextStart(starts, offset), nextStart(nowStarts, offset)));
        }
        return offset;
    }

    private static int epochAt(List<EpochStart> starts, long offset) {
        int epoch = -1;
        for (EpochStart start : starts) {
            if (start.startOffset() <= offset) {
                epoch = start.epoch();
            }
        }
        return epoch;
    }

    private static long nextStart(List<EpochStart> starts, long offset) {
        for (EpochStart start : starts) {
            if (start.startOffset() > offset) {
                return start.startOffset();
            }
        }
        return Long.MAX_VALUE;
    }

    /** [epoch, count] of the records of [from, to). */
    static List<List<Long>> runs(List<EpochStart> starts, long from, long to) {
        List<List<Long>> runs = new ArrayList<>();
        for (long offset = from; offset < to; ) {
            long next = Math.min(to, nextStart(starts, offset));
            runs.add(List.of((long) epochAt(starts, offset), next - offset));
            offset = next;
        }
        return runs;
    }
}
