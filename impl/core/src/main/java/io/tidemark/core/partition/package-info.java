/**
 * One replica of one partition: leader and follower, ISR, high watermark, acknowledgements. May depend on {@code core},
 * {@code core.log} and {@code core.metadata}.
 */
@NullMarked
package io.tidemark.core.partition;

import org.jspecify.annotations.NullMarked;
