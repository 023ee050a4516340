package io.tidemark.spec.trace;

import io.tidemark.spec.trace.Counterexample.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A counterexample told to a reader: each step with its action in plain words, what it changed, and the replicas' logs. */
public final class Story {
    private final Counterexample example;
    private final UnaryOperator<String> words;
    private final boolean raw;

    /**
     * A story to be told, in Kafka's words.
     *
     * @param words the first sentence about an action as it was taken ({@code HandleFetch(b1, b2)}), or about a property; empty
     *     where there is none
     */
    public Story(Counterexample example, UnaryOperator<String> words) {
        this(example, words, false);
    }

    /**
     * A story to be told.
     *
     * @param raw with the specification's own variables, budgets too
     */
    public Story(Counterexample example, UnaryOperator<String> words, boolean raw) {
        this.example = example;
        this.words = words;
        this.raw = raw;
    }

    /** All of it. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < example.steps().size(); i++) {
            lines.addAll(step(i));
        }
        lines.add(ending());
        return lines;
    }

    /** One state and the step that led to it; 0 is the initial one, so that the last number is how many steps there are. */
    public List<String> step(int index) {
        Step step = example.steps().get(index);
        String sentence = words.apply(step.call());
        List<String> lines = new ArrayList<>();
        lines.add(index + ". " + step.call() + (sentence.isEmpty() ? "" : ": " + sentence));
        if (index == 0) {
            (raw ? Opening.raw(step.state()) : Opening.of(step.state())).forEach(line -> lines.add("     " + line));
        } else {
            TreeMap<String, TlaValue> after = new TreeMap<>(step.state());
            if (!raw) {
                // How often more it may happen is the model's affair.
                after.remove("budget");
            }
            Changes.between(example.steps().get(index - 1).state(), after, raw)
                    .forEach(change -> lines.add("     " + change));
        }
        List<String> picture = ReplicaPicture.of(step.state());
        if (index == 0
                || !picture.equals(
                        ReplicaPicture.of(example.steps().get(index - 1).state()))) {
            picture.forEach(line -> lines.add("        " + line));
            if (index == 0 && !picture.isEmpty()) {
                lines.add("        (a number: a record, by its leader epoch; | high watermark; . fsynced so far)");
            }
        }
        return lines;
    }

    /** What is broken, in the property's own words; of what must be reachable the words are the opposite of the claim. */
    private String promise(String violated) {
        String sentence = violated.startsWith("Reach") ? "" : words.apply(violated);
        return sentence.isEmpty() ? "." : ", which says: " + sentence;
    }

    /** How it ends. */
    public String ending() {
        String violated = example.violated();
        Integer loop = example.loop();
        String end = violated == null
                ? "Here a property is violated."
                : violated.equals("deadlock")
                        ? "Here nothing can happen any more."
                        : "Here " + violated + " is violated" + promise(violated);
        if (loop != null) {
            return "Then it goes on from what step " + loop + " led to, for ever. " + end;
        }
        return example.stutters() ? "Then nothing happens any more. " + end : end;
    }
}
