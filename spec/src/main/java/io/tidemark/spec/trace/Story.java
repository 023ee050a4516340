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

    /**
     * A story to be told.
     *
     * @param words the first sentence about an action; empty where there is none
     */
    public Story(Counterexample example, UnaryOperator<String> words) {
        this.example = example;
        this.words = words;
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

    /** One step, from 0. */
    public List<String> step(int index) {
        Step step = example.steps().get(index);
        String sentence = words.apply(step.action());
        List<String> lines = new ArrayList<>();
        lines.add((index + 1) + ". " + step.call() + (sentence.isEmpty() ? "" : ": " + sentence));
        if (index == 0) {
            Opening.of(step.state()).forEach(line -> lines.add("     " + line));
        } else {
            Changes.between(example.steps().get(index - 1).state(), new TreeMap<>(step.state()))
                    .forEach(change -> lines.add("     " + change));
        }
        List<String> picture = ReplicaPicture.of(step.state());
        if (index == 0
                || !picture.equals(
                        ReplicaPicture.of(example.steps().get(index - 1).state()))) {
            picture.forEach(line -> lines.add("        " + line));
            if (index == 0 && !picture.isEmpty()) {
                lines.add("        (a number: a record, by its epoch; | high watermark; . fsynced so far)");
            }
        }
        return lines;
    }

    /** How it ends. */
    public String ending() {
        String violated = example.violated();
        Integer loop = example.loop();
        String end = violated == null
                ? "Here a property is violated."
                : violated.equals("deadlock")
                        ? "Here nothing can happen any more."
                        : "Here " + violated + " is violated.";
        if (loop != null) {
            return "Then it goes on from step " + (loop + 1) + ", for ever. " + end;
        }
        return example.stutters() ? "Then nothing happens any more. " + end : end;
    }
}
