package io.tidemark.history.page;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Headless Chromium, told what to do in its DevTools protocol. Where there is none the test is skipped, by its name. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/.*");
    private static final long LIMIT_SECONDS = 120;

    private final Process process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();

    private Browser(Process process, String address) throws Exception {
        this.process = process;
        HttpClient http = HttpClient.newHttpClient();
        JsonNode targets = JSON.readTree(http.send(
                        HttpRequest.newBuilder(URI.create("http://" + address + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
        URI page = URI.create(targets.get(0).path("webSocketDebuggerUrl").asText());
        socket = http.newWebSocketBuilder().buildAsync(page, new Frames()).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        call("Network.enable", JSON.createObjectNode());
    }

    /** @param profile a directory for what it keeps */
    static Browser start(Path profile) throws Exception {
        String path = find();
        if (path == null) {
            abort("Chromium: apt-get install chromium; no page is looked at");
        }
        Process process = new ProcessBuilder(
                        path,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new Browser(process, address(process));
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String find() {
        for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                Path file = Path.of(directory, name);
                if (Files.isExecutable(file)) {
                    return file.toString();
                }
            }
        }
        return null;
    }

    /** Reads on behind the address, so that the browser never waits for its log to be read. */
    private static String address(Process process) throws Exception {
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread log = new Thread(() -> {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    Matcher matcher = LISTENING.matcher(line);
                    if (matcher.matches()) {
                        address.complete(matcher.group(1));
                    }
                }
                address.completeExceptionally(new IOException("Chromium ended"));
            } catch (IOException e) {
                address.completeExceptionally(e);
            }
        });
        log.setDaemon(true);
        log.start();
        return address.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private final class Frames implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                take(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void take(String message) {
        try {
            JsonNode node = JSON.readTree(message);
            if (node.has("id")) {
                answers.get(node.path("id").asInt()).complete(node);
            } else if (node.path("method").asText().equals("Network.requestWillBeSent")) {
                requests.add(node.path("params").path("request").path("url").asText());
            }
        } catch (IOException e) {
            throw new IllegalStateException(message, e);
        }
    }

    private JsonNode call(String method, ObjectNode params) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", params);
        socket.sendText(message.toString(), true);
        JsonNode node = answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (node.has("error")) {
            throw new IllegalStateException(method + ": " + node.path("error"));
        }
        return node.path("result");
    }

    /** Opens a file in a window of that width; returns once it is loaded. */
    void open(Path file, int width, boolean dark) throws Exception {
        requests.clear();
        ObjectNode metrics = JSON.createObjectNode()
                .put("width", width)
                .put("height", 900)
                .put("deviceScaleFactor", 1)
                .put("mobile", false);
        call("Emulation.setDeviceMetricsOverride", metrics);
        ObjectNode media = JSON.createObjectNode();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        call("Emulation.setEmulatedMedia", media);
        call("Page.navigate", JSON.createObjectNode().put("url", file.toUri().toString()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!evaluate("document.readyState + ' ' + location.protocol").equals("complete file:")) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the page does not load");
            }
        }
    }

    /** A value as text, of a promise what it comes to. */
    String evaluate(String script) throws Exception {
        JsonNode result = call(
                "Runtime.evaluate",
                JSON.createObjectNode()
                        .put("expression", script)
                        .put("awaitPromise", true)
                        .put("returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.path("exceptionDetails").toString());
        }
        return result.path("result").path("value").asText();
    }

    /** What has been asked for since the page was opened, the page itself included. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    byte[] screenshot() throws Exception {
        return call("Page.captureScreenshot", JSON.createObjectNode())
                .path("data")
                .binaryValue();
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
