import type { JSX } from "preact";
import { app, TABS, type Tab } from "../model/app";
import type { Derived } from "../model/derived";
import { overlaps, type Range } from "../model/time";
import { Attachments } from "./attachments";
import { Call } from "./call";
import { ConsoleTab } from "./console";
import { Errors } from "./errors";
import { useApp, useSize } from "./hooks";
import { Icon } from "./icons";
import { LogTab } from "./log";
import { Metadata } from "./metadata";
import { NetworkTab } from "./network";
import { SourceTab } from "./source";
import { AuditTab } from "./audit";
import { ContractTab } from "./contract";
import { PerformanceTab } from "./performance";
import { StorageTab } from "./storage";

const NAMES: Record<Tab, string> = { errors: "Errors", call: "Call", log: "Log", console: "Console", network: "Network", source: "Source", attachments: "Attachments", metadata: "Metadata", storage: "Storage", audit: "Audit", contract: "Contract", performance: "Performance" };

const BODIES: Record<Tab, () => JSX.Element> = { errors: Errors, call: Call, log: LogTab, console: ConsoleTab, network: NetworkTab, source: SourceTab, attachments: Attachments, metadata: Metadata, storage: StorageTab, audit: AuditTab, contract: ContractTab, performance: PerformanceTab };

/** What lists of moments are narrowed to: the range, or nothing. */
export const narrowed = (): Range | undefined => app.range;

export const within = (from: number, to: number): boolean => !app.range || overlaps(app.range, from, to);

function count(d: Derived, tab: Tab): { n: number; bad: boolean } {
  const t = d.t;
  switch (tab) {
    case "errors": return { n: t.errors.rows, bad: true };
    case "log": return { n: app.selected >= 0 ? t.num(t.actions, "logs", app.selected) : 0, bad: false };
    case "console": return { n: t.console.rows, bad: d.console.marks[d.console.length] > 0 };
    case "network": return { n: t.network.rows, bad: d.network.marks[d.network.length] > 0 };
    case "attachments": return { n: t.attachments.rows, bad: false };
  }
  return { n: 0, bad: false };
}

/** Arrow keys walk along a row of tabs. */
export function roving(e: KeyboardEvent): void {
  const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const all = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>('[role="tab"]:not(:disabled)')];
  const next = all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length];
  e.preventDefault();
  e.stopPropagation();
  next?.focus();
  next?.click();
}

/** About how wide a tab is, in pixels. */
const wide = (tab: Tab, n: number): number => NAMES[tab].length * 7.2 + 18 + (n > 0 ? 15 + String(n).length * 6.5 : 0);

/** Which tabs have room; the selected one always does, the others are in a menu. */
function fitting(d: Derived | undefined, width: number): Set<Tab> {
  const sizes = TABS.map((tab) => (tab === app.docked ? 0 : wide(tab, d ? count(d, tab).n : 0)));
  let left = width - 44;
  if (sizes.reduce((a, b) => a + b, 0) <= left) return new Set(TABS);
  left -= 34 + sizes[TABS.indexOf(app.tab)];
  const fit = new Set<Tab>([app.tab]);
  for (const [i, tab] of TABS.entries()) {
    if (tab === app.tab) continue;
    if ((left -= sizes[i]) < 0) break;
    fit.add(tab);
  }
  return fit;
}

export function Details(): JSX.Element {
  useApp(() => [app.derived, app.selected, app.tab, app.docked, app.trace?.meta]);
  const d = app.derived;
  const [box, width] = useSize<HTMLDivElement>();
  const Body = BODIES[app.tab];
  const fit = fitting(d, width || 460);
  const more = TABS.filter((tab) => !fit.has(tab) && tab !== app.docked);
  return (
    <section class="panel details" aria-label="Details" id="details">
      <div class="tabrow">
      <div class="tabs" role="tablist" aria-label="Details" onKeyDown={roving} ref={box}>
        {TABS.map((tab, i) => {
          if (!fit.has(tab) || tab === app.docked) return null;
          const c = d ? count(d, tab) : { n: 0, bad: false };
          const on = app.tab === tab;
          return (
            <button key={tab} id={`tab-${tab}`} role="tab" class={`tab ${on ? "on" : ""}`} aria-selected={on} aria-controls="detail" tabIndex={on ? 0 : -1} title={`Alt ${(i + 1) % 10}`} onClick={() => app.openTab(tab)}>
              {NAMES[tab]}{c.n > 0 ? <span class={`n ${c.bad ? "bad" : ""}`}>{c.n > 9999 ? `${Math.round(c.n / 1000)}k` : c.n}</span> : null}
            </button>
          );
        })}
      </div>
      {more.length > 0 ? <label class="more" title="More tabs"><span aria-hidden="true">⋯</span><select aria-label="More tabs" value="" onChange={(e) => { app.openTab(e.currentTarget.value as Tab); e.currentTarget.blur(); }}>
        <option value="" disabled hidden />{more.map((tab) => <option key={tab} value={tab}>{NAMES[tab]}{d && count(d, tab).n > 0 ? ` (${count(d, tab).n})` : ""}</option>)}</select></label> : null}
        {app.docked ? null : <button class="btn ghost dockbtn" title="Split this tab off to the bottom" aria-label={`Split ${NAMES[app.tab]} off to the bottom`} onClick={() => app.splitOff(app.tab)}><Icon name="dock" /></button>}
      </div>
      <div class="tabbody" id="detail" role="tabpanel" aria-labelledby={`tab-${app.tab}`}>{app.trace ? <Body /> : null}</div>
    </section>
  );
}

/** A tab that was split off, below the other panels. */
export function Dock(): JSX.Element | null {
  useApp(() => [app.derived, app.selected, app.docked, app.trace?.meta]);
  const tab = app.docked;
  if (tab === "") return null;
  const Body = BODIES[tab];
  return (
    <section class="panel dock" aria-label={`${NAMES[tab]}, split off`} id="dock" tabIndex={-1}>
      <div class="tabrow"><h2 class="tab on">{NAMES[tab]}</h2><span class="sp" /><button class="btn ghost dockbtn" aria-label={`Put ${NAMES[tab]} back`} title="Put it back" onClick={() => app.splitOff("")}>✕</button></div>
      <div class="tabbody">{app.trace ? <Body /> : null}</div>
    </section>
  );
}
