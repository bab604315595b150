import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { app } from "../model/app";
import { copy } from "../ui/copy";
import { List } from "../ui/list";

interface Told { selectors: string[]; css: string; tag: string; role: string; name: string; text: string; width: number; height: number }

interface Line { depth: number; text: string }

interface Code { selector: string; javascript: string; python: string; java: string; csharp: string }

const LANGUAGES = { javascript: "JavaScript", python: "Python", java: "Java", csharp: "C#" } as const;
type Language = keyof typeof LANGUAGES;
const LANGUAGE = "tracedeck-language";

/** A text of the recorded page's script, which is not to be trusted with more. */
const text = (v: unknown): string => (typeof v === "string" ? v.slice(0, 4000) : "");

/** The recorded page with the pointer naming elements, and its trees. */
export function Inspect({ src, width, height, scale, below }: { src: string; width: number; height: number; scale: number; below: (panel: JSX.Element) => JSX.Element }): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  const [channel] = useState(() => `${Math.random()}${Math.random()}`);
  const [picked, setPicked] = useState<Told>();
  const [over, setOver] = useState<Told>();
  const [tree, setTree] = useState<Line[]>([]);
  const [kind, setKind] = useState<"aria" | "dom">("aria");
  const [at, setAt] = useState(-1);
  const [ready, setReady] = useState(false);
  const [found, setFound] = useState("");
  const say = (type: string, more: Record<string, unknown> = {}): void => frame.current?.contentWindow?.postMessage({ channel, type, ...more }, "*");
  useEffect(() => {
    const hear = (m: MessageEvent<Record<string, unknown>>): void => {
      if (m.source !== frame.current?.contentWindow || m.data?.["channel"] !== channel) return;
      const d = m.data;
      switch (d["type"]) {
        case "ready": setReady(true); break;
        case "leave": app.set({ inspecting: false }); break;
        case "tree": setTree(Array.isArray(d["lines"]) ? (d["lines"] as Partial<Line>[]).slice(0, 5000).map((l) => ({ depth: Number(l.depth) || 0, text: text(l.text) })) : []); break;
        case "found": setFound(text(d["problem"]) || `${Number(d["count"]) || 0} found`); break;
        case "hover": case "pick": {
          const told: Told = { selectors: (Array.isArray(d["selectors"]) ? d["selectors"] : []).slice(0, 8).map(text), css: text(d["css"]), tag: text(d["tag"]), role: text(d["role"]), name: text(d["name"]), text: text(d["text"]), width: Number(d["width"]) || 0, height: Number(d["height"]) || 0 };
          setOver(told);
          if (d["type"] === "pick") setPicked(told);
        }
      }
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [channel]);
  useEffect(() => { if (ready) say(kind); }, [ready, kind, src]);
  useEffect(() => setReady(false), [src]);
  const show = (i: number): void => { setAt(i); say("show", { at: i }); };
  const key = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (e.key === "Enter") { e.preventDefault(); e.stopPropagation(); say("pick", { at }); }
    if (step === 0) return;
    e.preventDefault();
    e.stopPropagation();
    show(Math.max(0, Math.min(tree.length - 1, at + step)));
  };
  const t = picked ?? over;
  return (
    <>
      <iframe ref={frame} key={src} class="shown inspected" sandbox="allow-scripts" title="Recorded page, inspected" tabIndex={-1} src={src} onLoad={() => say("begin")} style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }} />
      {below(
        <section class="inspectpanel" aria-label="Inspect">
          <div class="inspecttree">
            <div class="pills"><button class={`pill ${kind === "aria" ? "on" : ""}`} aria-pressed={kind === "aria"} onClick={() => { setKind("aria"); setAt(-1); }}>Accessibility</button><button class={`pill ${kind === "dom" ? "on" : ""}`} aria-pressed={kind === "dom"} onClick={() => { setKind("dom"); setAt(-1); }}>DOM</button><span class="dim">{tree.length.toLocaleString("en")} nodes</span></div>
            <List role="listbox" label={kind === "aria" ? "Accessibility tree" : "DOM tree"} count={tree.length} height={20} selected={at} {...(at >= 0 ? { active: `node${at}` } : {})} onKeyDown={key}
              row={(i) => <div id={`node${i}`} role="option" aria-selected={i === at} class={`noderow mono ${i === at ? "sel" : ""}`} style={{ paddingLeft: `${8 + Math.min(tree[i].depth, 24) * 11}px` }} onPointerEnter={() => say("show", { at: i })} onClick={() => { setAt(i); say("pick", { at: i }); }}>{tree[i].text}</div>} />
          </div>
          <div class="scroll pad" tabIndex={0}>
            {t ? <Locators t={t} picked={picked !== undefined} /> : <span class="dim">Point at an element, or go through the tree, to see which locators name it. Click or Enter picks it, Esc leaves.</span>}
            <Try find={(selector) => say("find", { selector })} found={found} problem={setFound} />
          </div>
        </section>)}
    </>
  );
}

function useCode(selectors: string[]): Code[] {
  const [codes, setCodes] = useState<Code[]>([]);
  const key = selectors.join("\n");
  useEffect(() => {
    let here = true;
    const tr = app.trace;
    if (!tr) return;
    void Promise.all(selectors.slice(0, 5).map((s) => app.connection.get<Code>(tr, "locator", -1, s).catch(() => ({ selector: s, javascript: s, python: s, java: s, csharp: s })))).then((all) => { if (here) setCodes(all); });
    return () => { here = false; };
  }, [key]);
  return codes;
}

function Locators({ t, picked }: { t: Told; picked: boolean }): JSX.Element {
  const [language, setLanguage] = useState<Language>(() => (localStorage.getItem(LANGUAGE) as Language | null) ?? "javascript");
  const codes = useCode(picked ? t.selectors : t.selectors.slice(0, 1));
  const choose = (l: Language): void => { localStorage.setItem(LANGUAGE, l); setLanguage(l); };
  return (
    <section class="sect"><h2><span>{picked ? "Picked" : "Under the pointer"}: &lt;{t.tag}&gt; {t.role} {t.width}×{t.height}</span><select class="mini" aria-label="Language of locators" value={language} onChange={(e) => choose(e.currentTarget.value as Language)}>{Object.entries(LANGUAGES).map(([k, v]) => <option key={k} value={k}>{v}</option>)}</select></h2>
      {codes.map((c, i) => <div key={c.selector} class="locatorline"><code class={i === 0 ? "strong" : ""}>{c[language]}</code><button class="btn small" aria-label={`Copy ${c[language]}`} onClick={() => copy(c[language], "locator")}>copy</button></div>)}
      <div class="locatorline"><code class="dim">{t.css}</code><button class="btn small" aria-label="Copy the CSS path" onClick={() => copy(t.css, "CSS path")}>copy</button></div>
    </section>
  );
}

/** A locator that the user writes, and how many elements it means. */
function Try({ find, found, problem }: { find: (selector: string) => void; found: string; problem: (p: string) => void }): JSX.Element {
  const [code, setCode] = useState("");
  useEffect(() => {
    if (code.trim() === "" || !app.trace) { problem(""); return; }
    const timer = setTimeout(() => app.connection.get<Code>(app.trace!, "locator", -1, code.trim()).then((c) => find(c.selector), (e: { text?: string }) => problem(e.text ?? "")), 200);
    return () => clearTimeout(timer);
  }, [code]);
  return <label class="trylocator"><span class="dim">Try a locator</span><input class="box mono" spellcheck={false} placeholder="getByRole('button', { name: 'Save' })" value={code} onInput={(e) => setCode(e.currentTarget.value)} /><span class="dim" role="status">{found}</span></label>;
}
