package io.tidemark.cli.contract;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C and SIGTERM. A command that has something to end declares itself cooperative: its thread is interrupted, it
 * ends its children and reports what it has. Any other command ends at once, and so does a cooperative one at a second
 * Ctrl-C; shutdown hooks run either way. One signal may arrive twice: to the whole process group, as a terminal and
 * {@code timeout} send it, and handed on by the launcher. What comes within a second of the first is the first, and a
 * SIGTERM never hurries an end that has begun: no person has lost patience there, and a supervisor has SIGKILL. Under nohup
 * the launcher hands Ctrl-C on as a SIGTERM, as SIGHUP is ignored there: it ends a command, and hurries none.
 */
public final class Interruption {
    private static final long SAME_NANOS = 1_000_000_000;

    private static volatile @Nullable ExitCode cause;
    private static long firstNanos;
    private static volatile @Nullable Thread cooperative;

    private Interruption() {}

    /**
     * Catches the signals. The launcher hands an interrupt on as SIGHUP, because a shell starts its children with
     * SIGINT ignored. {@code sun.misc.Signal} is reached by reflection: the compiler warns about any direct use.
     */
    public static void install() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Object ours = Proxy.newProxyInstance(
                    Interruption.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            onSignal(String.valueOf(arguments[0]));
                        }
                        return null;
                    });
            for (String name : List.of("HUP", "INT", "TERM")) {
                Object caught = signal.getConstructor(String.class).newInstance(name);
                // Refused if it was ignored when this process was started (nohup, a background job): it stays ignored.
                handle.invoke(null, caught, ours);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal", e);
        }
    }

    /** How the command was interrupted, null if it was not. */
    public static @Nullable ExitCode cause() {
        return cause;
    }

    /** Something that can be interrupted. */
    public interface Work<T> {
        T run() throws InterruptedException;
    }

    /** What a command does when it is interrupted. */
    public interface Ending {
        void run() throws InterruptedException;
    }

    /**
     * Does the work; at a signal this thread is interrupted, instead of the JVM ended.
     *
     * @param ending runs if the work was interrupted
     * @return what the work returns, or the code that belongs to the signal
     */
    public static ExitCode cooperate(Work<ExitCode> work, Ending ending) throws InterruptedException {
        cooperative = Thread.currentThread();
        try {
            return work.run();
        } catch (InterruptedException e) {
            ending.run();
            ExitCode code = cause;
            if (code == null) {
                throw e;
            }
            return code;
        } finally {
            cooperative = null;
        }
    }

    private static synchronized void onSignal(String signal) {
        boolean first = cause == null;
        ExitCode code = signal.contains("TERM") ? ExitCode.TERMINATED : ExitCode.INTERRUPTED;
        if (first) {
            cause = code;
            firstNanos = System.nanoTime();
        }
        Thread thread = cooperative;
        if (first && thread != null) {
            thread.interrupt();
        } else if (first || hurries(code, System.nanoTime() - firstNanos)) {
            // Not under this lock: exit waits for the shutdown hooks.
            new Thread(() -> System.exit(code.processStatus()), "exit").start();
        }
    }

    /** Whether a signal that comes so long after the first ends a command that is ending already. */
    static boolean hurries(ExitCode code, long nanosSinceFirst) {
        return code == ExitCode.INTERRUPTED && nanosSinceFirst > SAME_NANOS;
    }
}
