package io.tidemark.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which faults began and which of them had an effect; and events that are no fault. */
public final class Effects {
    /** One fault that began. */
    final class Injection {
        private final Fault fault;
        private boolean had;

        private Injection(Fault fault) {
            this.fault = fault;
        }

        Fault fault() {
            return fault;
        }

        /** It had an effect; said as often as it has one, counted once. */
        void took() {
            if (!had) {
                had = true;
                effective.merge(fault, 1, Integer::sum);
                world.trace("effect of " + fault.label());
            }
        }
    }

    /**
     * How often a fault began, and in how many of these cases it had an effect.
     *
     * @param fault which
     */
    public record Count(Fault fault, int injected, int effective) {
        Count plus(Count other) {
            return new Count(fault, injected + other.injected, effective + other.effective);
        }
    }

    private final World world;
    private final EnumMap<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private final EnumMap<Fault, Integer> effective = new EnumMap<>(Fault.class);
    private final TreeMap<String, Integer> events = new TreeMap<>();

    Effects(World world) {
        this.world = world;
    }

    Injection begin(Fault fault) {
        injected.merge(fault, 1, Integer::sum);
        return new Injection(fault);
    }

    /** A part of a fault whose own effects do not count. */
    Injection uncounted(Fault fault) {
        Injection part = new Injection(fault);
        part.had = true;
        return part;
    }

    static void took(@Nullable Injection injection) {
        if (injection != null) {
            injection.took();
        }
    }

    void event(String name) {
        events.merge(name, 1, Integer::sum);
        world.trace(name);
    }

    /** What an operator did, and rare moments that faults led to, by name. */
    SortedMap<String, Integer> events() {
        return events;
    }

    /** One for each fault that began, in the order of the faults. */
    List<Count> counts() {
        return injected.entrySet().stream()
                .map(each -> new Count(each.getKey(), each.getValue(), effective.getOrDefault(each.getKey(), 0)))
                .toList();
    }
}
