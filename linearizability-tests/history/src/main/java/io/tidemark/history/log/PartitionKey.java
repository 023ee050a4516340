package io.tidemark.history.log;

import org.jspecify.annotations.Nullable;

/** A history's key as topic and partition: {@code "orders-3"} is partition 3 of orders, any other key a topic alone. */
public record PartitionKey(String topic, @Nullable Integer partition) {
    public static PartitionKey of(Object key) {
        String text = key.toString();
        int dash = text.lastIndexOf('-');
        String digits = text.substring(dash + 1);
        if (dash <= 0
                || digits.isEmpty()
                || digits.length() > 9
                || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return new PartitionKey(text, null);
        }
        return new PartitionKey(text.substring(0, dash), Integer.valueOf(digits));
    }
}
