import type { JSX } from "preact";
import { app, shortName, title } from "../model/app";
import { asText } from "../model/astext";
import { copy } from "./copy";
import { Kbd } from "./kbd";
import { useApp } from "./hooks";
import { Icon } from "./icons";

export function linkHere(): string {
  return `${location.origin}${location.pathname}${app.link()}`;
}

/** Copies a link to what is on screen, or text with the link in it. */
export function copyHere(make: (link: string) => string, what: string): void {
  const go = (): void => copy(make(linkHere()), what);
  if (app.trace?.ids.has(app.selected)) go();
  else app.identify().then(go, go);
}

export function Logo(): JSX.Element {
  return <button class="logo" title="Start page" onClick={() => { if (!app.offline) app.home(); }}><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><rect class="l1" x="1" y="2" width="16" height="4" rx="1.5" /><rect class="l2" x="1" y="7" width="10" height="4" rx="1.5" /><rect class="l3" x="5" y="12" width="12" height="4" rx="1.5" /></svg><span>tracedeck</span></button>;
}

export function TopBar(): JSX.Element {
  useApp(() => [app.derived, app.trace?.state, app.trace?.meta, app.welcome]);
  const t = app.trace, d = app.derived, s = t?.state;
  const traces = app.welcome?.traces ?? [];
  const browser = t?.meta?.contexts.find((c) => c.browser !== "");
  const failed = d?.failed() ?? false;
  return (
    <header>
      <Logo />
      {traces.length > 1
        ? <select class="btn" aria-label="Trace" value={t?.id ?? ""} onChange={(e) => { history.pushState(null, "", `#/t/${e.currentTarget.value.slice(0, 12)}`); app.show(e.currentTarget.value); e.currentTarget.blur(); }}>{traces.map((x) => <option key={x.id} value={x.id}>{shortName(x.name)}</option>)}</select>
        : null}
      <h1 class="crumb" title={t?.meta?.name ?? ""}>{t ? title(t) : ""}</h1>
      {s?.done ? (failed ? <span class="chip fail">✕ failed</span> : (t?.errors.rows ?? 0) > 0 ? <button class="chip warned" onClick={() => app.openTab("errors")}>▲ {t!.errors.rows} error{t!.errors.rows === 1 ? "" : "s"}</button> : d && d.suspect() >= 0 ? <button class="chip warned" onClick={() => app.openTab("errors")}>▲ a step ran out of time</button> : (t?.actions.rows ?? 0) > 0 ? <span class="chip pass">✓ no step failed</span> : null) : null}
      {s?.live ? <span class="chip live"><i class="dot" />live</span> : null}
      {browser ? <span class="chip plain wideonly">{browser.browser}</span> : null}
      <button class="omni" onClick={() => app.set({ dialog: "search" })}><Icon name="search" /><span>Search steps, requests, console, log…</span><Kbd of="search" /></button>
      {traces.length > 1 ? <button class="btn" onClick={() => app.set({ dialog: "compare" })}>Compare <Kbd of="compare" /></button> : null}
      <button class="btn" onClick={() => copyHere((l) => l, "link to this moment")}><Icon name="link" /><span class="wideonly">Copy link</span> <Kbd of="copyLink" /></button>
      <button class="btn wideonly" onClick={() => copyHere(asText, "this step as text")}><Icon name="copy" />As text <Kbd of="copyText" /></button>
      {app.offline ? null : <button class="btn wideonly" title="Bug report, script or test of this session" onClick={() => app.set({ dialog: "code" })}>Script <Kbd of="code" /></button>}
      {app.offline ? null : <button class="btn wideonly" title="Save as one HTML file" onClick={() => app.set({ dialog: "save" })}>Save <Kbd of="save" /></button>}
      <button class="btn ghost" aria-label="Keyboard help" onClick={() => app.set({ dialog: "help" })}>?</button>
    </header>
  );
}
