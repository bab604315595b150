import type { JSX } from "preact";
import { app } from "../model/app";
import { plain } from "../model/reasons";
import { duration } from "../model/time";
import { useDetail } from "./detail";
import { useApp } from "./hooks";
import { List } from "./list";

export function LogTab(): JSX.Element {
  useApp(() => [app.derived, app.selected]);
  const t = app.trace!, row = app.selected;
  const { value, error } = useDetail(row);
  if (row < 0) return <div class="empty">Select a step.</div>;
  if (error) return <div class="banner warn">{error}</div>;
  if (!value) return <div class="empty">Reading…</div>;
  const logs = value.logs;
  if (logs.length === 0) return <div class="empty"><b>No log</b><span>This step wrote no log lines.</span></div>;
  const start = t.num(t.actions, "start", row);
  return (
    <>
      <List role="listbox" label="Log" count={logs.length} height={22} selected={-1} class="mono"
        row={(i) => {
          const l = logs[i], next = logs[i + 1]?.time ?? t.actionEnd(row);
          return (
            <div class="logrow" role="option" aria-selected={false} title={plain(l.text)}>
              <span class="faint">{l.time === null ? "" : `+${duration(l.time - start)}`}</span>
              <span class={`clip ${/not (visible|enabled|stable|editable)|timeout|exceeded|intercepts|error/i.test(l.text) ? "err" : ""}`}>{plain(l.text)}</span>
              <span class="ms">{l.time === null ? "" : duration(next - l.time)}</span>
            </div>
          );
        }} />
      {value.moreLogs ? <div class="foot">{value.moreLogs} more lines are in the trace</div> : null}
    </>
  );
}
