package io.tidemark.history.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The page's one style, which its policy names by its hash: a style that a history brings along has no effect. */
final class PageStyle {
    static final String CSS = """
            :root{color-scheme:light dark;--page:#ffffff;--ink:#1b1f24;--soft:#4d5560;--line:#8b949e;--head:#eef1f4;
            --ok:#cfe8d5;--fail:#e3e5e8;--info:#fbe7c3;--bad:#b00020;--good:#0b6b32;--doubt:#7a4b00;--band:#d9d2f0;
            --conflict:#ffe1e4}
            @media (prefers-color-scheme:dark){:root{--page:#14171a;--ink:#e8eaed;--soft:#b4bcc6;--line:#7d8590;--head:#23282e;
            --ok:#1d4a2c;--fail:#3a3f45;--info:#5a4210;--bad:#ff9aa5;--good:#7fd79b;--doubt:#f0c36d;--band:#3b3358;
            --conflict:#5a1f27}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
            main{max-width:80rem;margin:0 auto;padding:1rem}
            h1{font-size:1.5rem;margin:.5rem 0 1rem}
            h2{font-size:1.2rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
            h3{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
            p{margin:.5rem 0;overflow-wrap:anywhere}
            .sentence{font-size:1.125rem;border-left:4px solid var(--line);padding-left:.75rem}
            .legend,small{color:var(--soft);font-size:.875rem}
            small{display:block}
            .scroll{overflow-x:auto;max-width:100%;margin:.75rem 0;border:1px solid var(--line);border-radius:6px}
            .scroll:focus-visible,summary:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
            table{border-collapse:collapse;width:100%}
            caption{text-align:left;padding:.5rem .75rem;font-weight:600}
            th,td{text-align:left;vertical-align:top;padding:.375rem .75rem;border-top:1px solid var(--line)}
            thead th{background:var(--head)}
            tbody th{font-weight:600;min-width:9rem;overflow-wrap:anywhere}
            .grid tbody th{min-width:6rem}
            tr.conflict th,tr.conflict td{background:var(--conflict)}
            tr.conflict b{color:var(--bad)}
            td{min-width:7rem}
            tr.witness td{font-weight:600}
            .told{display:block;overflow-wrap:anywhere}
            .verdict{font-weight:700;white-space:nowrap}
            .verdict.valid{color:var(--good)}.verdict.invalid{color:var(--bad)}.verdict.unknown{color:var(--doubt)}
            details{margin:.75rem 0}
            summary{cursor:pointer;padding:.5rem 0;min-height:24px}
            svg{display:block}
            svg text{font:13px ui-monospace,monospace;fill:var(--ink)}
            .lane{stroke:var(--line)}
            .gap{stroke:var(--soft);stroke-dasharray:2 5;stroke-width:2}
            .band{fill:var(--band)}
            .op{stroke:var(--line)}
            .op.ok{fill:var(--ok)}.op.fail{fill:var(--fail);stroke-dasharray:4 3}.op.info,.op.open{fill:var(--info)}
            .op.witness{stroke:var(--bad);stroke-width:3}
            """;

    private PageStyle() {}

    /** As a content security policy names it. */
    static String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(CSS.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
