import type { JSX } from "preact";
import { Kbd } from "./kbd";
import { useMemo, useRef } from "preact/hooks";
import { app, type App } from "../model/app";
import type { Derived } from "../model/derived";
import { matches, parseFilter, type Term } from "../model/filter";
import { Flag, HIDDEN, Kind } from "../model/schema";
import { duration, overlaps } from "../model/time";
import type { Flat } from "../model/tree";
import { useApp } from "./hooks";
import { Icon, iconOf } from "./icons";
import { List } from "./list";

const SLOW = 500_000; // microseconds
const KINDS = ["action", "group", "step", "hook", "protocol"];

/** Requests that went wrong and console errors while an action ran. */
function troubles(d: Derived, row: number): { net: number; errors: number; requests: number } {
  const from = d.t.num(d.t.actions, "start", row), to = d.t.actionEnd(row);
  const n0 = d.network.lower(from), n1 = d.network.lower(to);
  const c0 = d.console.lower(from), c1 = d.console.lower(to);
  return { requests: n1 - n0, net: d.network.marks[n1] - d.network.marks[n0], errors: d.console.marks[c1] - d.console.marks[c0] };
}

function matcher(a: App, d: Derived): ((row: number) => boolean) | undefined {
  const terms = parseFilter(a.filter);
  if (terms.length === 0 && a.pill === "all" && !a.range) return undefined;
  return (row) => fitsRange(a, d, row) && fitsPill(a.pill, d, row) && (terms.length === 0 || matches(terms, facts(d, row, terms)));
}

function fitsRange(a: App, d: Derived, row: number): boolean {
  return !a.range || overlaps(a.range, d.t.num(d.t.actions, "start", row), d.t.actionEnd(row));
}

function fitsPill(pill: App["pill"], d: Derived, row: number): boolean {
  const flags = d.t.num(d.t.actions, "flags", row);
  switch (pill) {
    case "failed": return (flags & Flag.failed) !== 0;
    case "slow": return leaf(d, row) && d.t.actionEnd(row) - d.t.num(d.t.actions, "start", row) > SLOW;
    case "errors": { const n = troubles(d, row); return leaf(d, row) && (n.net > 0 || n.errors > 0 || (flags & Flag.failed) !== 0); }
  }
  return true;
}

const leaf = (d: Derived, row: number): boolean => {
  const kind = d.t.num(d.t.actions, "kind", row);
  return kind !== Kind.group && kind !== Kind.hook && !d.tree.hasShown(row, app.shown);
};

function facts(d: Derived, row: number, _terms: Term[]): { text: string; duration: number; words: Record<string, string> } {
  const t = d.t, a = t.actions;
  const flags = t.num(a, "flags", row);
  return {
    text: `${t.text(a, "title", row)} ${t.text(a, "detail", row)} ${t.text(a, "message", row)}`,
    duration: t.actionEnd(row) - t.num(a, "start", row),
    words: { kind: KINDS[t.num(a, "kind", row)] ?? "", method: t.text(a, "method", row), class: t.text(a, "class", row),
      status: flags & Flag.failed ? "failed" : flags & Flag.unfinished ? "unfinished" : "passed", },
  };
}

/** The rows of the tree as it is shown now; the keyboard walks the same ones. */
export function flatNow(): Flat | undefined {
  const d = app.derived;
  if (!d) return undefined;
  const key = JSON.stringify([app.filter, app.pill, app.range, app.shown, toggledKey()]);
  if (last?.d !== d || last.key !== key) last = { d, key, flat: d.tree.flatten(app.shown, (r) => app.isExpanded(r), matcher(app, d)) };
  return last.flat;
}

let last: { d: Derived; key: string; flat: Flat } | undefined;

/** Above so many steps it is not counted what takes a search for each of them. */
const MANY = 100_000;

function counts(d: Derived): { all: number; failed: number; slow: number; errors: number; protocol: number; hidden: number } {
  const n = { all: 0, failed: 0, slow: 0, errors: 0, protocol: d.protocol.length, hidden: 0 };
  const few = d.tree.order.length <= MANY;
  if (!few) n.slow = n.errors = NaN;
  for (const row of d.tree.order) {
    const flags = d.tree.flags[row];
    if (d.tree.isProtocol(row) && !app.shown.protocol) continue;
    if (flags & HIDDEN) n.hidden++;
    if (!d.tree.visible(row, app.shown)) continue;
    n.all++;
    if (flags & Flag.failed) n.failed++;
    if (!few) continue;
    if (fitsPill("slow", d, row)) n.slow++;
    if (fitsPill("errors", d, row)) n.errors++;
  }
  return n;
}

function Row({ d, row, depth, sizes }: { d: Derived; row: number; depth: number; sizes: Flat }): JSX.Element {
  const t = d.t, a = t.actions;
  const flags = t.num(a, "flags", row), kind = t.num(a, "kind", row);
  const open = d.tree.hasShown(row, app.shown), expanded = open && (app.isExpanded(row) || app.filter !== "" || app.pill !== "all");
  const failed = (flags & Flag.failed) !== 0;
  const n = open ? undefined : troubles(d, row);
  const running = (flags & Flag.unfinished) !== 0;
  const title = t.text(a, "title", row), detail = t.text(a, "detail", row);
  const style = { paddingLeft: `${8 + depth * 14}px` };
  return (
    <div id={`a${row}`} class={`row ${row === app.selected ? "sel" : ""} ${failed ? "bad" : d.tree.trouble[row] ? "around" : ""} ${flags & Flag.skipped ? "skipped" : ""}`} role="treeitem"
      aria-level={depth + 1} aria-setsize={sizes.rows.length} aria-posinset={sizes.at(row) + 1} aria-selected={row === app.selected}
      {...(open ? { "aria-expanded": expanded } : {})} style={style} onClick={() => app.select(row)} onDblClick={() => app.fit()}
      title={`${title} ${detail}`.trim()}>
      <span class="twist" onClick={open ? (e) => { e.stopPropagation(); app.toggle(row); } : undefined}>{open ? (expanded ? "▾" : "▸") : ""}</span>
      <Icon name={failed ? "fail" : iconOf(t.text(a, "class", row), t.text(a, "method", row), kind)} />
      <span class="name"><span class={open || kind === Kind.group ? "strong" : ""}>{title}</span>{detail ? <span class="detail"> {detail}</span> : null}</span>
      {t.limits?.has(row) ? <span class="badge err" title={`It took all of its ${duration(t.limits.get(row)! * 1000)}`}>◷</span> : null}
      {n && n.errors > 0 ? <span class="badge err" title={`${n.errors} console errors`}>●{n.errors}</span> : null}
      {n && n.net > 0 ? <span class="badge err" title={`${n.net} failed requests`}>⇅{n.net}</span> : n && n.requests > 0 ? <span class="badge" title={`${n.requests} requests`}>⇅{n.requests}</span> : null}
      <span class="ms">{running ? (t.state?.live ? "running" : "no end") : duration(t.actionEnd(row) - t.num(a, "start", row))}</span>
    </div>
  );
}

export function ActionTree(): JSX.Element {
  useApp(() => [app.derived, app.selected, app.filter, app.pill, app.range, app.shown, app.trace?.state?.done, app.trace?.state?.live, ...toggledKey()]);
  const d = app.derived;
  const input = useRef<HTMLInputElement>(null);
  const n = useMemo(() => (d ? counts(d) : undefined), [d, app.shown.hidden, app.shown.protocol]);
  const flat = flatNow();
  const pills = [["all", "All", n?.all], ["failed", "Failed", n?.failed], ["slow", "Slow", n?.slow], ["errors", "With errors", n?.errors]] as const;
  return (
    <nav class="panel actions" aria-label="Steps" id="steps">
      <div class="filter">
        <label class="box"><Icon name="search" />
          <input ref={input} id="filter" type="search" aria-label="Filter steps" placeholder="click slower-than:200ms" value={app.filter} spellcheck={false}
            onInput={(e) => app.set({ filter: e.currentTarget.value })} />
        </label>
        <Kbd of="filter" />
      </div>
      <div class="pills" role="group" aria-label="Which steps">
        {pills.map(([id, name, count]) => (
          <button key={id} class={`pill ${app.pill === id ? "on" : ""}`} aria-pressed={app.pill === id} onClick={() => app.set({ pill: id })}>{name} {count === undefined || Number.isNaN(count) ? "" : count.toLocaleString("en")}</button>
        ))}
      </div>
      {flat && d && flat.rows.length > 0
        ? <List class="tree" role="tree" label="Steps" count={flat.rows.length} height={24} selected={flat.at(app.selected)} {...(app.selected >= 0 ? { active: `a${app.selected}` } : {})}
            rowKey={(i) => flat.rows[i]} row={(i) => <Row d={d} row={flat.rows[i]} depth={flat.depth[i]} sizes={flat} />} />
        : <div class="empty">{!app.trace?.state?.done ? "Reading…" : d && d.t.actions.rows > 0 ? "No step fits. Esc clears the filter." : "No steps were recorded."}</div>}
      <div class="foot">
        <span>{n ? `${n.all.toLocaleString("en")} steps${n.failed ? ` · ${n.failed} failed` : ""}` : ""}</span>
        <span class="toggles">
          {n && n.hidden > 0 ? <button class={`mini ${app.shown.hidden ? "on" : ""}`} aria-pressed={app.shown.hidden} title="Getters, routes and configuration (H)" onClick={() => app.set({ shown: { ...app.shown, hidden: !app.shown.hidden } })}>{n.hidden} hidden</button> : null}
          {n && n.protocol > 0 ? <button class={`mini ${app.shown.protocol ? "on" : ""}`} aria-pressed={app.shown.protocol} title="Protocol commands (P)" onClick={() => app.set({ shown: { ...app.shown, protocol: !app.shown.protocol } })}>{n.protocol.toLocaleString("en")} protocol</button> : null}
        </span>
      </div>
    </nav>
  );
}

// The map of toggled rows changes in place; its content stands for it.
function toggledKey(): [number, number] {
  let sum = 0;
  for (const [row, open] of app.toggled) sum = (sum * 31 + row * 2 + (open ? 1 : 0)) | 0;
  return [app.toggled.size, sum];
}
