import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { copy } from "./copy";
import { Dialog } from "./dialog";
import { saveText } from "./save";

interface Made { name: string; text: string; needs: { name: string; what: string }[]; warnings: string[] }

const KINDS = { report: "Bug report", script: "Script", test: "Test", rod: "Go" } as const;
type Kind = keyof typeof KINDS;

const ABOUT: Record<Kind, string> = {
  report: "What was done, what went wrong, and how to see it again, in Markdown.",
  script: "Does the session again with Playwright and exits with 1 if the failure shows: git bisect run understands it.",
  test: "A test for Playwright Test with the recorded steps and what they brought.",
  rod: "The same script as a Go program for rod.",
};

/** Programs and reports that are made of the session, without its secrets. */
export function CodeDialog(): JSX.Element {
  const t = app.trace!;
  const [kind, setKind] = useState<Kind>(app.codeKind);
  const [upTo, setUpTo] = useState(false);
  const [pictures, setPictures] = useState(false);
  const [made, setMade] = useState<Made>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let here = true;
    setMade(undefined);
    setProblem("");
    const ask = async (): Promise<Made> => {
      if (upTo) await app.identify();
      const last = upTo ? t.ids.get(app.selected) ?? "" : "";
      return app.connection.get<Made>(t, "code", -1, `${kind === "report" && pictures ? "illustrated" : kind}\n${last}`);
    };
    ask().then((m) => { if (here) setMade(m); }, (e: { text?: string }) => { if (here) setProblem(e.text ?? String(e)); });
    return () => { here = false; };
  }, [kind, upTo, pictures]);
  return (
    <Dialog label="Script and bug report">
      <div class="dialoghead"><h2>Made of this session</h2><button class="btn ghost" aria-label="Close" onClick={() => app.set({ dialog: "" })}>✕</button></div>
      <div class="codebar">
        <div class="segments" role="group" aria-label="What to make">{(Object.keys(KINDS) as Kind[]).map((k) => <button key={k} class={k === kind ? "on" : ""} aria-pressed={k === kind} onClick={() => setKind(k)}>{KINDS[k]}</button>)}</div>
        {app.selected >= 0 ? <label><input type="checkbox" checked={upTo} onChange={(e) => setUpTo(e.currentTarget.checked)} /> up to the selected step</label> : null}
        {kind === "report" ? <label><input type="checkbox" checked={pictures} onChange={(e) => setPictures(e.currentTarget.checked)} /> with pictures, which may show secrets</label> : null}
      </div>
      <p class="dim codeabout">{ABOUT[kind]} Secrets are left out{made && made.needs.length > 0 ? <>; it takes them from the environment: {made.needs.map((n, i) => <span key={n.name}>{i > 0 ? ", " : ""}<code title={n.what}>{n.name}</code></span>)}</> : null}.</p>
      {problem ? <div class="banner warn" role="alert">{problem}</div> : null}
      {made ? <pre class="codetext" tabIndex={0} role="region" aria-label={made.name}>{made.text}</pre> : problem ? null : <div class="empty"><div class="spinner" /><span>Taking out secrets and writing…</span></div>}
      {made && made.warnings.length > 0 ? <details class="codewarn"><summary>{made.warnings.length} {made.warnings.length === 1 ? "thing" : "things"} could not be taken over</summary>{made.warnings.map((w, i) => <div key={i} class="dim">{w}</div>)}</details> : null}
      <div class="formfoot codefoot"><span class="dim mono clip">{made?.name}</span><span class="sp" />
        <button class="btn" disabled={!made} onClick={() => copy(made!.text, KINDS[kind].toLowerCase())}>Copy</button><button class="btn primary" disabled={!made} onClick={() => saveText(made!.text, made!.name)}>Save as file</button></div>
    </Dialog>
  );
}
