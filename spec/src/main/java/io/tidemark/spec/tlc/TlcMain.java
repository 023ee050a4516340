package io.tidemark.spec.tlc;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * TLC as it is, with a companion thread: each second it writes on standard error how far the search is, since TLC itself
 * tells that once a minute only; and it ends this JVM when the one that started it is gone. Also runs with other builds
 * of TLC.
 */
public final class TlcMain {
    /** Begins a line on standard error: generated, distinct, queue, depth. */
    static final String PROGRESS = "@progress ";

    private static final List<String> FIGURES =
            List.of("StatesGenerated", "DistinctStatesGenerated", "StateQueueSize", "Progress");

    private TlcMain() {}

    public static void main(String[] arguments) throws Throwable {
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        Thread companion = new Thread(() -> accompany(parent), "tidemark-companion");
        companion.setDaemon(true);
        companion.start();
        // The last figures of a simulation: it may be over before anybody has asked.
        Runtime.getRuntime().addShutdownHook(new Thread(TlcMain::tellSimulated, "tidemark-last-figures"));
        try {
            Class.forName("tlc2.TLC").getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (java.lang.reflect.InvocationTargetException e) {
            // Threads that TLC has started would keep this JVM alive.
            (e.getCause() == null ? e : e.getCause()).printStackTrace();
            System.exit(1);
        }
    }

    private static void accompany(Optional<ProcessHandle> parent) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName name = new ObjectName("tlc2.tool:type=ModelChecker");
            while (parent.map(ProcessHandle::isAlive).orElse(true)) {
                Thread.sleep(1_000);
                if (server.isRegistered(name)) {
                    tell(server, name);
                } else {
                    tellSimulated();
                }
            }
            Runtime.getRuntime().halt(143);
        } catch (JMException | InterruptedException e) {
            // Without figures TLC goes on all the same.
            System.err.println("no progress: " + e);
        }
    }

    private static void tell(MBeanServer server, ObjectName name) throws JMException {
        StringBuilder line = new StringBuilder(PROGRESS);
        for (String figure : FIGURES) {
            line.append(String.format(Locale.ROOT, "%s ", server.getAttribute(name, figure)));
        }
        System.err.println(line.toString().strip());
    }

    private static Object count(Object simulator, String name) throws ReflectiveOperationException {
        Field count = simulator.getClass().getDeclaredField(name);
        count.setAccessible(true);
        return count.get(simulator);
    }

    /** Random behaviours and their states TLC counts in fields; another build may not have it, and then nobody is told. */
    private static void tellSimulated() {
        try {
            Object simulator =
                    Class.forName("tlc2.TLCGlobals").getField("simulator").get(null);
            if (simulator != null) {
                System.err.println(
                        PROGRESS + count(simulator, "numOfGenStates") + " 0 0 0 " + count(simulator, "numOfGenTraces"));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Without figures TLC goes on all the same.
        }
    }
}
