import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { app } from "../model/app";
import { bind, changed, keyName, keysFor, keysOf, plainKeys, pressed, resetKeys, setPlainKeys, type Key } from "../model/keys";
import { Dialog } from "./dialog";

const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph"];

/** The keys of this place, which can be searched and changed. */
export function Help(): JSX.Element {
  const [text, setText] = useState("");
  const [taking, setTaking] = useState("");
  const [note, setNote] = useState("");
  const keys = keysOf(app.place).filter((k) => `${k.text} ${k.group} ${keysFor(k).map(keyName).join(" ")}`.toLowerCase().includes(text.toLowerCase().trim()));
  const groups = [...new Set(keys.map((k) => k.group))];
  const set = (k: Key, key: string | undefined): void => {
    const lost = bind(k.id, key);
    setTaking("");
    setNote(key === undefined ? `${k.text}: has no key now` : `${k.text}: ${keyName(key)}${lost.length > 0 ? `, which “${lost.join("”, “")}” gave up` : ""}`);
    app.tell();
  };
  return (
    <Dialog label="Keys">
      <div class="dialoghead"><h2>Keys</h2><label class="box keysearch"><span class="spoken">Search the keys</span><input type="search" autofocus placeholder="Search" value={text} onInput={(e) => setText(e.currentTarget.value)} /></label><button class="btn ghost" aria-label="Close" onClick={() => app.set({ dialog: "" })}>✕</button></div>
      <div class="keygroups">{groups.map((g) => (
        <section key={g}><h3>{g}</h3>{keys.filter((k) => k.group === g).map((k) => <KeyRow key={k.id} k={k} taking={taking === k.id} take={() => setTaking(k.id)} set={(key) => set(k, key)} leave={() => setTaking("")} />)}</section>
      ))}
        {text === "" ? <section><h3>Timeline with the mouse</h3><dl><dt>wheel</dt><dd>zoom at the pointer</dd><dt>Shift wheel</dt><dd>earlier, later</dd><dt>drag</dt><dd>pick a range; all lists show what is in it</dd><dt>Alt drag</dt><dd>move</dd><dt>double click</dt><dd>fit the step</dd></dl></section> : null}
        {keys.length === 0 ? <p class="dim">No key does that.</p> : null}
      </div>
      <div class="formfoot keyfoot"><label><input type="checkbox" checked={plainKeys()} onChange={(e) => { setPlainKeys(e.currentTarget.checked); setNote(e.currentTarget.checked ? "" : "Letters and signs do nothing now; Ctrl K lists the commands"); app.tell(); }} /> Letters and signs act without Ctrl or Alt</label>
        <span class="dim" role="status">{note || "Press a key's button to give its command another key."}</span><span class="sp" /><button class="btn small" onClick={() => { resetKeys(); setNote("All keys are the defaults again"); app.tell(); }}>Defaults</button></div>
    </Dialog>
  );
}

function KeyRow({ k, taking, take, set, leave }: { k: Key; taking: boolean; take: () => void; set: (key: string | undefined) => void; leave: () => void }): JSX.Element {
  const box = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!taking) return;
    const hear = (e: KeyboardEvent): void => {
      if (MODIFIERS.includes(e.key)) return;
      e.preventDefault();
      e.stopImmediatePropagation();
      removeEventListener("keydown", hear, true); // one key, also where the next one comes before the list is drawn again
      if (e.key === "Escape") leave(); else set(e.key === "Delete" ? undefined : pressed(e));
      box.current?.focus();
    };
    addEventListener("keydown", hear, true);
    return () => removeEventListener("keydown", hear, true);
  }, [taking]);
  const list = keysFor(k);
  return (
    <div class={`keyrow ${changed(k) ? "own" : ""}`}>
      <button ref={box} class="keycell" data-command={k.id} aria-label={`${k.text}: ${list.map(keyName).join(" or ") || "no key"}. Change it`} title="Change" onClick={take} onBlur={() => { if (taking) leave(); }}>
        {taking ? <em>press a key, Del for none</em> : list.length === 0 ? <em>none</em> : list.map((n) => <kbd key={n}>{keyName(n)}</kbd>)}</button><span>{k.text}</span>
    </div>
  );
}
