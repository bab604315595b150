import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSize } from "./hooks";

interface Props {
  count: number;
  height: number; // of a row, in pixels
  row: (index: number) => JSX.Element;
  label: string;
  role: "tree" | "listbox" | "rowgroup"; // a rowgroup is in a grid
  selected: number;
  active?: string; // id of the selected row
  onKeyDown?: (e: KeyboardEvent) => void;
  class?: string;
  rowKey?: (index: number) => string | number;
  header?: ComponentChildren;
}

const SPARE = 8;
// Browsers end at some ten million pixels; above that a row is scrolled past faster than it is high.
const MOST = 8_000_000;

/** A list of any length, of which only what can be seen is there. */
export function List({ count, height, row, label, role, selected, active, onKeyDown, class: name, rowKey }: Props): JSX.Element {
  const [ref, , seen] = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const all = count * height;
  const shrink = all > MOST ? (MOST - seen) / (all - seen) : 1;
  const lead = useRef(-1);
  useLayoutEffect(() => {
    const el = ref.current!;
    if (selected < 0 || selected >= count || lead.current === selected || seen === 0) return;
    lead.current = selected;
    const at = selected * height, from = el.scrollTop / shrink;
    if (at < from - seen || at > from + 2 * seen) el.scrollTop = (at - seen / 2) * shrink; // far away: into the middle
    else if (at < from) el.scrollTop = Math.max(0, at - height) * shrink;
    else if (at + height > from + seen) el.scrollTop = (at - seen + 2 * height) * shrink;
  }, [selected, count, seen]);
  useEffect(() => setTop(ref.current!.scrollTop), [count]);
  const from = Math.max(0, Math.floor(top / shrink / height) - SPARE);
  const to = Math.min(count, Math.ceil((top / shrink + seen) / height) + SPARE);
  const offset = shrink === 1 ? from * height : top - (top / shrink - from * height);
  const rows = [];
  for (let i = from; i < to; i++) rows.push(<div role="presentation" key={rowKey?.(i) ?? i} class="slot">{row(i)}</div>);
  return (
    <div ref={ref} class={`list ${name ?? ""}`} role={role} tabIndex={0} aria-label={label} {...(role === "rowgroup" ? {} : { "aria-activedescendant": active })} onKeyDown={onKeyDown} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
      <div role="presentation" style={{ height: `${Math.min(all, MOST)}px`, position: "relative" }}>
        <div role="presentation" style={{ transform: `translateY(${offset}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
