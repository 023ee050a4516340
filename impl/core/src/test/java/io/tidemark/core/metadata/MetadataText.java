package io.tidemark.core.metadata;

/** All of a metadata state as text, so that two states can be compared. */
public final class MetadataText {
    private MetadataText() {}

    public static String of(MetadataView view) {
        StringBuilder text = new StringBuilder();
        view.brokers().forEach((id, broker) -> {
            text.append(broker)
                    .append(" at ")
                    .append(view.registrationOffset(id))
                    .append('\n');
            text.append("replicates ").append(view.replicatedBy(id)).append('\n');
            text.append("leads ").append(view.ledBy(id)).append('\n');
            text.append(view.configs((byte) 4, String.valueOf(id))).append('\n');
        });
        text.append("leaderless ").append(view.ledBy(-1)).append('\n');
        view.topics().forEach((name, topic) -> {
            text.append(name).append(' ').append(topic.id()).append(view.configs((byte) 2, name));
            text.append(topic.partitions()).append(view.effectiveMinIsr(name)).append('\n');
        });
        text.append(view.configs((byte) 4, "")).append('\n');
        text.append(view.features()).append(view.controllers()).append(view.nextProducerId());
        return text.append(' ').append(view.appliedOffset()).toString();
    }
}
