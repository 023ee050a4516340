package io.tidemark.core.quorum;

import io.tidemark.core.Guards;
import io.tidemark.core.quorum.QuorumReplica.Held;
import io.tidemark.core.quorum.QuorumReplica.Live;
import io.tidemark.core.quorum.QuorumReplica.Response;
import io.tidemark.core.quorum.QuorumReplica.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Some replicas and a network between them, in memory. Every event is drawn from one seed: messages are lost, doubled and
 * overtaken, disks write late, replicas crash and come back with any prefix at or past what was flushed. {@link QuorumSafety}
 * is checked after every step.
 */
final class QuorumWorld {
    /** Virtual time of one event of the kind phase, in which everything under way arrives. */
    static final int CALM_MS = 10;

    private record Request(int to, Token token) {}

    final Random random;
    final List<QuorumReplica> nodes = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Response> responses = new ArrayList<>();
    private final QuorumSafety safety = new QuorumSafety();
    long nextId = 1;
    private long now;

    QuorumWorld(long seed, int voters, int observers, Guards guards) {
        random = new Random(seed);
        List<VoterSet.Voter> set = new ArrayList<>();
        for (int id = 1; id <= voters; id++) {
            set.add(new VoterSet.Voter(key(id), List.of(new Endpoint("CONTROLLER", "host" + id, 9093))));
        }
        for (int id = 1; id <= voters + observers; id++) {
            boolean voter = id <= voters;
            nodes.add(new QuorumReplica(
                    this,
                    new QuorumConfig(
                            "cluster",
                            key(id),
                            voter ? set.get(id - 1).endpoints() : List.of(),
                            voter,
                            VoterSet.of(set),
                            guards)));
        }
        nodes.forEach(node -> node.run(node.core.start()));
    }

    private static ReplicaKey key(int id) {
        return new ReplicaKey(id, new UUID(7, id));
    }

    /** When a timer that is set now runs out. */
    long due(QuorumTimer timer, int rank) {
        long wait = switch (timer) {
            case ELECTION -> 1000 + random.nextInt(1000);
            case ELECTION_SOON -> 1 + 50L * rank;
            case ELECTION_BACKOFF -> 1 + random.nextInt(1000);
            case FETCH -> 2000;
            case CHECK_QUORUM -> 3000;
        };
        return now + wait;
    }

    // ---- events

    /** One event of the unkind phase. Timers mostly wait until they are due: else nobody would ever lead for long. */
    void chaos() {
        now += 10;
        QuorumReplica node = nodes.get(random.nextInt(nodes.size()));
        int draw = random.nextInt(1000);
        if (draw < 450) {
            deliver(true);
        } else if (draw < 700) {
            transmit(node);
            release(node);
        } else if (draw < 780) {
            node.stateOnDisk = node.states.size() - 1;
        } else if (draw < 860) {
            if (node.flushDue) {
                node.flushEnds();
            }
        } else if (draw < 960) {
            boolean early = random.nextInt(50) == 0;
            for (QuorumTimer timer : List.copyOf(node.timers.keySet())) {
                if (early || node.timers.getOrDefault(timer, Long.MAX_VALUE) <= now) {
                    node.fire(timer);
                }
            }
        } else if (draw < 990) {
            if (node.view().role() == QuorumRole.LEADER) {
                node.append();
            }
        } else if (draw < 997) {
            node.crash();
            check(node);
        } else if (draw == 999) {
            node.apply(new QuorumInput.Resign());
        }
    }

    /** One event of the kind phase: everything arrives, disks write, timers run out when they are due and no earlier. */
    void calm() {
        now += CALM_MS;
        for (QuorumReplica node : nodes) {
            node.stateOnDisk = node.states.size() - 1;
            if (node.flushDue) {
                node.flushEnds();
            }
            for (QuorumTimer timer : List.copyOf(node.timers.keySet())) {
                Long due = node.timers.get(timer);
                if (due != null && due <= now) {
                    node.fire(timer);
                }
            }
            transmit(node);
            release(node);
        }
        for (int i = requests.size() + responses.size(); i > 0; i--) {
            deliver(false);
        }
    }

    /** In the kind phase all is live again at once: what was lost is sent again. */
    private void transmit(QuorumReplica node) {
        for (Live live : List.copyOf(node.live.values())) {
            boolean under = requests.stream().anyMatch(r -> r.token().live() == live);
            if (!under && node.holds(live.requires, live.stateSequence)) {
                int to = live.to;
                while (to == QuorumEffect.ANY_BOOTSTRAP || to == node.id()) {
                    to = nodes.get(random.nextInt(nodes.size())).id();
                }
                QuorumSafety.checkTold(node, node.view().currentEpoch());
                requests.add(new Request(to, new Token(node, node.incarnation, live, to)));
            }
        }
    }

    private void release(QuorumReplica node) {
        for (Held held : List.copyOf(node.held)) {
            if (node.holds(held.requires(), held.stateSequence())) {
                node.held.remove(held);
                QuorumSafety.checkTold(node, held.response().message().epoch());
                responses.add(held.response());
            }
        }
    }

    private void deliver(boolean unkind) {
        int size = requests.size() + responses.size();
        if (size == 0) {
            return;
        }
        int pick = random.nextInt(size);
        int fate = unkind ? random.nextInt(20) : 19;
        boolean lost = fate == 0;
        boolean again = fate == 1;
        if (pick < requests.size()) {
            Request request = again ? requests.get(pick) : requests.remove(pick);
            if (!lost) {
                handle(nodes.get(request.to() - 1), request.token());
            }
        } else {
            int at = pick - requests.size();
            Response response = again ? responses.get(at) : responses.remove(at);
            if (!lost) {
                response.token().from().receive(response);
            }
        }
    }

    private static void handle(QuorumReplica node, Token token) {
        node.apply(QuorumInput.of(token.live().request, token));
    }

    void check(QuorumReplica node) {
        safety.check(node, nodes);
    }

    // ---- questions

    /** Every variable of the spec. */
    static List<Object> variables(QuorumView v) {
        return List.of(
                v.currentEpoch(),
                Optional.ofNullable(v.votedKey()),
                v.leaderId(),
                v.role(),
                v.logStart(),
                v.log().starts(),
                v.log().endOffset(),
                v.flushed(),
                v.hw(),
                v.grants(),
                v.voterFetch(),
                v.voters());
    }

    int committedCount() {
        return safety.committedCount();
    }

    @Nullable
    QuorumReplica readyLeader() {
        return nodes.stream().filter(n -> n.view().leaderReady()).findFirst().orElse(null);
    }
}
