package io.tidemark.core.partition;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.log.OffsetAndEpoch;
import org.jspecify.annotations.Nullable;

/**
 * What a replica answers to a fetch, without the bytes.
 *
 * @param from first offset to read; meaningful without error and divergence
 * @param upTo read below this offset only: the log end for a follower, the high watermark for a consumer
 * @param hw high watermark, -1 with most errors
 * @param diverging largest epoch at or below the asked one, and its end offset: the fetcher truncates
 * @param leader current leader as this replica knows it, -1 if none
 */
public record FetchAnswer(
        ErrorCode error,
        long from,
        long upTo,
        long hw,
        long logStart,
        @Nullable OffsetAndEpoch diverging,
        int leader,
        int leaderEpoch) {}
