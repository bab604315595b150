import type { JSX } from "preact";
import { app } from "../model/app";
import { duration } from "../model/time";
import { Facts } from "./call";
import { useApp } from "./hooks";
import { bytes } from "./network";
import { Value } from "./value";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function Metadata(): JSX.Element {
  useApp(() => [app.derived, app.trace?.state]);
  const t = app.trace!, m = t.meta, s = t.state;
  if (!m || !s) return <div class="empty">Reading…</div>;
  return (
    <div class="scroll pad" tabIndex={0}>
      <section class="sect"><h2><span>Trace</span></h2>
        <Facts rows={[["file", <span key="f" class="mono breaks">{m.name}</span>], ["id", <span key="i" class="mono">{m.id}</span>], ["recorded", m.start > 0 ? new Date(m.start).toLocaleString() : ""], ["duration", duration(t.end)],
          ["events", bytes(s.bytes)], ["read in", duration(s.took * 1000)]]} />
      </section>
      <section class="sect"><h2><span>Rows</span></h2><Facts rows={Object.entries(s.rows).filter(([, n]) => n > 0).map(([k, n]) => [k, n.toLocaleString("en")])} /></section>
      {m.contexts.map((c) => (
        <section key={c.file} class="sect"><h2><span>{c.origin === "testRunner" ? "Test runner" : "Browser context"}</span><span class="mono">{c.file}</span></h2>
          <Facts rows={[["title", c.title], ["browser", [c.browser, c.channel].filter((x) => x !== "").join(" ")], ["recorded by", c.producer], ["format", `version ${c.version}`], ["platform", c.platform], ["language", c.language],
            ["viewport", c.width > 0 ? `${c.width}×${c.height}` : ""], ["timeout", c.timeout > 0 ? duration(c.timeout * 1000) : ""], ["test id", c.testId]]} />
          {c.options ? <Value name="options" value={parsed(c.options)} open={0} /> : null}
        </section>
      ))}
      {s.warnings.length > 0 || s.bad > 0 ? (
        <section class="sect"><h2><span>What is wrong with the file</span><span>{s.warnings.length}</span></h2>
          {s.warnings.map((w, i) => <div key={i} class="othererror"><span class="chip small">{w.code}</span> <span class="mono dim">{w.place}</span><div>{w.text}</div></div>)}
          {s.bad > 0 ? <div class="dim">{s.bad.toLocaleString("en")} lines could not be read and were left out.</div> : null}
        </section>
      ) : null}
    </div>
  );
}
