package io.tidemark.conformance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The specification numbers the directories of a node: the one that the first voters were known by is 0, each wiped disk has
 * the next number. A trace has ids.
 */
final class Directories {
    /** Of a voter that is known by its node id alone. */
    private static final String NONE = "00000000-0000-0000-0000-000000000000";

    private final Map<Integer, List<String>> ids = new HashMap<>();
    private final SortedMap<Integer, Integer> voters = new TreeMap<>();
    private boolean named;

    /** @param events of a trace; the first that tells of voters says whom they are known by */
    Directories(List<TraceEvent> events) {
        for (TraceEvent event : events) {
            JsonNode told = event.state().path("voters");
            if (told.isObject() && !told.isEmpty()) {
                told.properties().forEach(voter -> {
                    named |= !voter.getValue().asText().equals(NONE);
                    int id = Integer.parseInt(voter.getKey());
                    voters.put(id, number(id, voter.getValue()));
                });
                return;
            }
        }
    }

    /** The first voters, and the number of the directory that each is known by. */
    SortedMap<Integer, Integer> voters() {
        return voters;
    }

    /** Whether voters are known by their directories, too. */
    boolean named() {
        return named;
    }

    int number(int node, JsonNode directory) {
        String id = directory.asText();
        if (id.equals(NONE)) {
            return 0;
        }
        List<String> known = ids.computeIfAbsent(node, each -> new ArrayList<>());
        if (!known.contains(id)) {
            known.add(id);
        }
        return known.indexOf(id);
    }

    /** (node, directory) as the specification has it. */
    List<Object> key(int node, JsonNode directory) {
        return List.of("n" + node, number(node, directory));
    }
}
