package io.tidemark.workload.fault;

import java.util.ArrayList;
import java.util.List;

/** Faults that are signals to processes: kill, freeze, restart. */
final class ProcessFaults {
    private static final long MARGIN_NANOS = 300_000_000L;

    private final Scene scene;
    private final Target target;

    ProcessFaults(Scene scene) {
        this.scene = scene;
        this.target = scene.target();
    }

    Effect kill(FaultTarget aim, List<Integer> nodes) throws InterruptedException {
        Standing before = scene.standing(nodes);
        String processes = scene.describe(nodes);
        nodes.forEach(target::kill);
        boolean gone = scene.awaitExit(nodes);
        long start = scene.now();
        scene.awaitSettled(before);
        Standing.Change change = before.change();
        nodes.forEach(scene.onHalt()::accept);
        long end = scene.now();
        nodes.forEach(target::start);
        String evidence = processes + (gone ? " gone" : " still alive") + change.inWords();
        return new Effect(nodes, start, end, gone && change.met(aim), evidence);
    }

    Effect freeze(FaultTarget aim, List<Integer> nodes) throws InterruptedException {
        Standing before = scene.standing(nodes);
        nodes.forEach(target::freeze);
        boolean still = scene.await(Scene.END_LIMIT, () -> allStopped(nodes));
        long start = scene.now();
        long session = target.sessionTimeout().toNanos() + MARGIN_NANOS;
        scene.await(scene.effectLimit(), () -> scene.now() - start > session && allFenced(nodes, start));
        scene.awaitSettled(before);
        Standing.Change change = before.change();
        boolean fenced = allFenced(nodes, start);
        nodes.forEach(scene.onHalt()::accept);
        still &= allStopped(nodes);
        long end = scene.now();
        String evidence = scene.describe(nodes) + (still ? " stood still " : " did not stand still ")
                + (end - start) / 1_000_000 + " ms, session time-out "
                + target.sessionTimeout().toMillis() + " ms, "
                + (fenced ? "fenced" : "not fenced") + change.inWords();
        nodes.forEach(target::resume);
        boolean past = end - start > target.sessionTimeout().toNanos();
        return new Effect(nodes, start, end, still && past && fenced && change.met(aim), evidence);
    }

    private boolean allStopped(List<Integer> nodes) {
        return nodes.stream().allMatch(target::isStopped);
    }

    private boolean allFenced(List<Integer> nodes, long since) {
        return nodes.stream().allMatch(node -> scene.observer().fenced(node, since));
    }

    /** One node after the other; a rolling one waits between them until the cluster is whole. */
    Effect restart(List<Integer> nodes, boolean rolling) throws InterruptedException {
        long start = scene.now();
        long end = start;
        boolean proven = true;
        List<String> evidence = new ArrayList<>();
        for (int node : nodes) {
            long asked = scene.now();
            String old = target.describe(node);
            Standing before = scene.standing(List.of(node));
            target.terminate(node);
            boolean clean = scene.end(node);
            end = scene.now();
            target.start(node);
            // A clean end hands over before it; the nodes that learn of it are asked a moment later.
            scene.awaitSettled(before);
            evidence.add("node " + node + " (" + old + (clean ? ") ended in order in " : ") had to be killed after ")
                    + (end - asked) / 1_000_000 + " ms, " + target.describe(node) + " follows"
                    + before.change().inWords());
            proven &= clean;
            if (rolling && node != nodes.get(nodes.size() - 1)) {
                boolean whole = scene.awaitWhole(end);
                evidence.add(whole ? "whole again" : "not whole again before the next node");
                proven &= whole;
                if (scene.timeIsUp()) {
                    proven = false;
                    evidence.add("the time was up before the next node");
                    break;
                }
            }
        }
        return new Effect(nodes, start, end, proven, String.join("; ", evidence));
    }
}
