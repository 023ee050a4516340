package io.tidemark.simulation;

import io.tidemark.core.controller.ControllerRequest;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.metadata.MetadataRecord;
import io.tidemark.core.metadata.MetadataView;
import io.tidemark.core.metadata.PartitionRegistration;
import io.tidemark.core.metadata.TopicConfigs;
import io.tidemark.core.quorum.QuorumMessage;
import io.tidemark.runtime.NodeApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plays the steps of a {@link Scenario} on a simulated cluster. */
final class ScenarioRun {
    private static final Set<String> WHO = Set.of("leader", "controller", "other");
    private static final String NAMES = "leader, controller, other";
    private static final String KINDS = "fetch|metadata-fetch|isr-change|heartbeat|vote|registration|message";
    private static final Pattern MESSAGES = Pattern.compile(
            "(" + KINDS + ")( of [1-5])?( from (leader|controller|other))?( to (leader|controller|other))?");
    private static final long UNTIL_MS = 20_000;

    /** Messages that do not go their way: lost, or held. */
    private record Rule(Predicate<Message> which, boolean held) {}

    private record Message(int from, int to, Object request) {}

    private final Scenario scenario;
    private final Stage stage;
    private final List<Rule> rules = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();

    private ScenarioRun(Scenario scenario, Shape shape) {
        this.scenario = scenario;
        this.stage = new Stage(shape);
        stage.hand(this::takes);
    }

    /** Runs it; what the steps demand is asserted. Returns how many acknowledged records are gone. */
    static int play(Scenario scenario, Shape shape) {
        ScenarioRun run = new ScenarioRun(scenario, shape);
        for (Scenario.Step step : scenario.steps()) {
            run.act(step);
        }
        return run.stage.simulation.finish();
    }

    /** What would be right in place of a step that is none; empty where it is one. */
    static String problem(Scenario.Step step) {
        String rest = String.join(" ", step.words());
        return switch (step.verb()) {
            case "kill", "start", "stop", "freeze", "thaw", "power-loss", "wipe" ->
                step.words().size() == 1 && WHO.contains(rest) ? "" : step.verb() + " one of " + NAMES;
            case "lose", "hold" ->
                MESSAGES.matcher(rest).matches()
                        ? ""
                        : step.verb() + " one of " + KINDS + ", then 'of N' of an ISR of N, 'from WHO', 'to WHO'";
            case "deliver" -> rest.matches("first|all") ? "" : "deliver first, or deliver all";
            case "let" -> rest.equals("through") ? "" : "let through";
            case "wait" -> rest.matches("\\d{1,6} ms") ? "" : "wait N ms";
            case "await", "expect" -> condition(rest) ? "" : step.verb() + " " + CONDITIONS;
            case "set" -> rest.matches("min-isr [1-5]") ? "" : "set min-isr N";
            case "elect" -> rest.matches("preferred|unclean") ? "" : "elect preferred, or elect unclean";
            default ->
                "a step: kill, start, stop, freeze, thaw, power-loss, wipe, lose, hold, deliver, let through, wait, await,"
                        + " expect, set, elect";
        };
    }

    private static final String CONDITIONS =
            "isr WHO.., elr WHO.., leads WHO, no leader, fenced WHO, active WHO, held N,"
                    + " N acknowledged, or (expect) nothing acknowledged for N ms";

    private static boolean condition(String text) {
        String who = "(leader|controller|other)";
        return text.matches("(isr|elr)( " + who + "){1,3}|elr nobody|isr nobody|(leads|fenced|active) " + who
                + "|no leader|held [1-9]|\\d{1,4} acknowledged|nothing acknowledged for \\d{1,6} ms");
    }

    // ---- Steps

    private void act(Scenario.Step step) {
        List<String> words = step.words();
        stage.world.tell(() -> "STEP " + scenario.name() + ":" + step.line() + " " + step.text());
        switch (step.verb()) {
            case "kill" -> node(words.get(0)).kill();
            case "start" -> node(words.get(0)).start();
            case "stop" -> node(words.get(0)).stop(() -> {});
            case "freeze" -> node(words.get(0)).freeze();
            case "thaw" -> node(words.get(0)).thaw();
            case "power-loss" -> node(words.get(0)).loseAllUnforced();
            case "wipe" -> node(words.get(0)).wipeVoter();
            case "lose" -> rules.add(new Rule(messages(words), false));
            case "hold" -> rules.add(new Rule(messages(words), true));
            case "let" -> rules.clear();
            case "deliver" -> deliver(words.get(0).equals("all"));
            case "wait" -> stage.run(Long.parseLong(words.get(0)));
            case "await" -> await(step, words);
            case "expect" -> expect(step, words);
            case "set" -> setMinIsr(words.get(1));
            default -> elect(words.get(0).equals("unclean"));
        }
    }

    private int id(String who) {
        return who.equals("leader") ? stage.leader : who.equals("controller") ? stage.controller : stage.other;
    }

    private SimNode node(String who) {
        return stage.simulation.node(id(who));
    }

    private void deliver(boolean all) {
        while (!held.isEmpty()) {
            held.remove(0).run();
            if (!all) {
                return;
            }
        }
    }

    private void setMinIsr(String value) {
        ConfigOp raise = new ConfigOp(TopicConfigs.MIN_INSYNC_REPLICAS, ConfigOp.Op.SET, value);
        stage.simulation
                .clients()
                .administer(
                        new ControllerRequest.AlterConfigs(
                                List.of(new ControllerRequest.ConfigChange(
                                        MetadataRecord.Config.TOPIC, SimClients.TOPIC, List.of(raise))),
                                false),
                        answer -> {});
    }

    private void elect(boolean unclean) {
        stage.simulation.clients().administer(new ControllerRequest.ElectLeaders(unclean, null), answer -> {});
    }

    // ---- Messages

    private boolean takes(int from, int to, Object request, Runnable arrival) {
        Message message = new Message(from, to, request);
        for (Rule rule : rules) {
            if (rule.which().test(message)) {
                if (rule.held()) {
                    held.add(arrival);
                }
                return true;
            }
        }
        return false;
    }

    private Predicate<Message> messages(List<String> words) {
        Predicate<Message> which = kind(words.get(0));
        for (int i = 1; i + 1 < words.size(); i += 2) {
            String value = words.get(i + 1);
            which = which.and(
                    switch (words.get(i)) {
                        case "of" ->
                            message -> stage.isAttempt(message.from(), message.request(), Integer.parseInt(value));
                        case "from" -> message -> message.from() == id(value);
                        default -> message -> message.to() == id(value);
                    });
        }
        return which;
    }

    private static Predicate<Message> kind(String name) {
        return switch (name) {
            case "fetch" -> message -> Stage.isFetch(message.request());
            case "metadata-fetch" -> message -> message.request() instanceof QuorumMessage.MetadataFetch;
            case "isr-change" -> message -> message.request() instanceof ControllerRequest.AlterPartition;
            case "heartbeat" -> message -> message.request() instanceof ControllerRequest.BrokerHeartbeat;
            case "registration" -> message -> message.request() instanceof ControllerRequest.RegisterBroker;
            case "vote" -> message -> Stage.isVote(message.request());
            default -> message -> true;
        };
    }

    // ---- What must hold

    private void await(Scenario.Step step, List<String> words) {
        BooleanSupplier condition = holds(words);
        long deadline = stage.world.nowMs() + UNTIL_MS;
        while (!condition.getAsBoolean()) {
            if (stage.world.nowMs() >= deadline) {
                throw fails(step, "not within " + UNTIL_MS / 1000 + " s");
            }
            stage.run(10);
        }
    }

    private void expect(Scenario.Step step, List<String> words) {
        if (words.get(0).equals("nothing")) {
            long before = stage.acknowledged();
            stage.run(Long.parseLong(words.get(3)));
            if (stage.acknowledged() > before) {
                throw fails(step, stage.acknowledged() - before + " records were acknowledged");
            }
        } else if (!holds(words).getAsBoolean()) {
            throw fails(step, "it does not hold");
        }
    }

    private AssertionError fails(Scenario.Step step, String why) {
        return new AssertionError(
                scenario.name() + ":" + step.line() + ": '" + step.text() + "': " + why + "; leader is " + stage.leader
                        + ", controller " + stage.controller + ", other " + stage.other + "; " + described());
    }

    private String described() {
        String[] said = {"nobody tells"};
        part(part -> {
            said[0] = part.toString();
            return true;
        });
        return said[0];
    }

    private BooleanSupplier holds(List<String> words) {
        List<String> rest = words.subList(1, words.size());
        return switch (words.get(0)) {
            case "isr" -> () -> part(part -> ids(part.isr()).equals(named(rest)));
            case "elr" -> () -> part(part -> ids(part.elr()).equals(named(rest)));
            case "leads" -> () -> part(part -> part.leader() == id(rest.get(0)));
            case "no" -> () -> part(part -> !part.hasLeader());
            case "fenced" -> () -> asked(view -> view.broker(id(rest.get(0))) != null && !view.active(id(rest.get(0))));
            case "active" -> () -> asked(view -> view.active(id(rest.get(0))));
            case "held" -> () -> held.size() >= Integer.parseInt(rest.get(0));
            default -> {
                long enough = stage.acknowledged() + Long.parseLong(words.get(0));
                yield () -> stage.acknowledged() >= enough;
            }
        };
    }

    private boolean part(Predicate<PartitionRegistration> question) {
        return asked(view -> {
            PartitionRegistration part = view.partition(stage.partition);
            return part != null && question.test(part);
        });
    }

    /** Asked of the node that leads the quorum, or else of one that lives; false where nobody answers. */
    private boolean asked(Predicate<MetadataView> question) {
        List<SimNode> living = Stream.of(stage.controller, stage.other, stage.leader)
                .map(stage.simulation::node)
                .filter(node -> node.alive() && !node.frozen())
                .toList();
        @Nullable
        NodeApi api = living.stream()
                .filter(node -> node.quorumLeader() == node.id())
                .findFirst()
                .or(() -> living.stream().findFirst())
                .map(SimNode::api)
                .orElse(null);
        boolean[] yes = new boolean[1];
        if (api != null) {
            api.metadata(question::test, answer -> yes[0] = answer);
            stage.run(1);
        }
        return yes[0];
    }

    private static Set<Integer> ids(List<Integer> ids) {
        return new TreeSet<>(ids);
    }

    private Set<Integer> named(List<String> names) {
        Set<Integer> ids = new TreeSet<>();
        names.stream().filter(name -> !name.equals("nobody")).forEach(name -> ids.add(id(name)));
        return ids;
    }
}
