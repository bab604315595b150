import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import { useAnswer } from "../ui/hooks";
import type { Comparison } from "./model";

interface Rule { name: string; scopes?: string[]; field?: string; pattern?: string; replacement: string; mixed?: boolean; off?: boolean }

interface Hidden { rule: string; count: number; samples: { scope: string; field?: string; a: string; b: string }[] | null }

interface NoiseAnswer { rules: Rule[]; defaults: Rule[]; hidden: Hidden[] | null }

const SCOPES = ["message", "url", "path", "header", "body", "dom", "step", "storage"];

function own(json: string): Rule[] {
  try {
    const v = JSON.parse(json || "[]") as Rule[] | { rules: Rule[] };
    return Array.isArray(v) ? v : v.rules;
  } catch {
    return [];
  }
}

/** The rules that hide what differs from run to run, with what they hid. */
export function Noise({ c }: { c: Comparison }): JSX.Element {
  const { value, error } = useAnswer<NoiseAnswer>(`${c.token}/noise/${c.at}`, () => app.connection.compare(c.a, c.b, "noise", c.at, c.rules));
  const mine = own(c.rules);
  const set = (rules: Rule[]): void => c.setRules(rules.length > 0 ? JSON.stringify(rules) : "");
  if (error) return <div class="scroll pad"><div class="banner warn">{error}</div></div>;
  if (!value) return <div class="empty">Reading…</div>;
  const hid = new Map((value.hidden ?? []).map((h) => [h.rule, h]));
  const list = [...value.defaults.filter((d) => !mine.some((r) => r.name === d.name && !r.off)), ...mine.filter((r) => !r.off)];
  list.sort((x, y) => (hid.get(y.name)?.count ?? 0) - (hid.get(x.name)?.count ?? 0));
  const off = (name: string): boolean => mine.some((r) => r.name === name && r.off);
  return (
    <div class="scroll pad" tabIndex={0}>
      <p class="dim">These rules hide what differs from run to run without meaning anything, such as ids and times. A rule that is off hides nothing. They are kept in this browser; <code>tracedeck diff --rules</code> takes the same as a file.</p>
      <Add add={(r) => set([...mine.filter((o) => o.name !== r.name), r])} />
      <section class="sect"><h2><span>Rules</span><span class="pills"><button class="mini" onClick={() => { void navigator.clipboard?.writeText(JSON.stringify(mine, null, 2)); app.say("Copied: your rules"); }}>copy mine</button>{mine.length > 0 ? <button class="mini" onClick={() => set([])}>back to the defaults</button> : null}</span></h2>
        {list.map((r) => {
          const h = hid.get(r.name), user = mine.some((o) => o.name === r.name && !o.off);
          return (
            <div key={r.name} class={`rule ${off(r.name) ? "off" : ""}`}><input type="checkbox" checked={!off(r.name)} aria-label={`Rule ${r.name}`} onChange={(e) => set(e.currentTarget.checked ? mine.filter((o) => o.name !== r.name) : [...mine.filter((o) => o.name !== r.name), { name: r.name, replacement: "", off: true }])} />
              <details><summary><b>{r.name}</b><span class="mono dim clip">{r.replacement}</span><span class="sp" />{h ? <span class="n">{h.count} hidden</span> : null}</summary>
              <dl class="facts"><dt>looks in</dt><dd>{r.scopes?.join(", ") || "everything"}</dd>{r.field ? <><dt>field</dt><dd class="mono breaks">{r.field}</dd></> : null}{r.pattern ? <><dt>pattern</dt><dd class="mono breaks">{r.pattern}</dd></> : null}</dl>
              {(h?.samples ?? []).map((s, i) => <div key={i} class="change"><div class="dim">{s.scope}{s.field ? ` · ${s.field}` : ""}</div><pre class="line a">{s.a}</pre><pre class="line b">{s.b}</pre></div>)}
            {user ? <button class="linkish" onClick={() => set(mine.filter((o) => o.name !== r.name))}>remove this rule</button> : null}
            </details></div>
          );
        })}
      </section>
    </div>
  );
}

function Add({ add }: { add: (r: Rule) => void }): JSX.Element {
  const [name, setName] = useState(""), [pattern, setPattern] = useState(""), [scope, setScope] = useState(""), [problem, setProblem] = useState("");
  const go = (e: Event): void => {
    e.preventDefault();
    if (name.trim() === "" || pattern === "") { setProblem("A rule needs a name and a pattern."); return; }
    setProblem("");
    add({ name: name.trim(), pattern, replacement: `[${name.trim()}]`, ...(scope ? { scopes: [scope] } : {}) });
    setName(""); setPattern("");
  };
  return (
    <form class="addrule" onSubmit={go} aria-label="Add a rule">
      <input class="box" aria-label="Name of the rule" placeholder="name" value={name} onInput={(e) => setName(e.currentTarget.value)} />
      <input class="box mono" aria-label="Pattern, a regular expression" placeholder="pattern: order-[0-9]+" value={pattern} onInput={(e) => setPattern(e.currentTarget.value)} />
      <select class="btn" aria-label="Where it looks" value={scope} onChange={(e) => setScope(e.currentTarget.value)}><option value="">everywhere</option>{SCOPES.map((s) => <option key={s}>{s}</option>)}</select>
      <button class="btn" type="submit">Add</button>
      {problem ? <span class="err" role="alert">{problem}</span> : null}
    </form>
  );
}
