import type { ComponentChildren, JSX } from "preact";
import { app } from "../model/app";
import { useAnswer } from "./hooks";

/** Asks for what was found of the whole trace, once it has been read. */
export function useFindings<T>(what: string): { value?: T; error?: string } {
  const t = app.trace!;
  const key = t.complete ? `${t.id}/${t.epoch}/${t.state?.bytes ?? 0}/${what}` : "";
  return useAnswer<T>(key, () => app.connection.get<T>(t, what, -1));
}

/** Goes to the row of a line that a finding names as its evidence. */
export async function goToPlace(place: string): Promise<void> {
  const t = app.trace!;
  const { table, row } = await app.connection.get<{ table: string; row: number }>(t, "place", -1, place).catch(() => ({ table: "", row: -1 }));
  if (t !== app.trace) return;
  if (table === "network") app.openRequest(row);
  else if (table === "console") { app.message = row; app.openTab("console"); }
  else if (table === "actions") app.select(row);
  else app.say("The place of this finding is not in the lists");
}

/** Goes to the step with a call id. */
export async function goToCall(id: string): Promise<void> {
  const { row } = await app.connection.get<{ row: number }>(app.trace!, "find", -1, id).catch(() => ({ row: -1 }));
  if (row >= 0) app.select(row);
}

export function Waiting({ error, children }: { error: string | undefined; children: ComponentChildren }): JSX.Element {
  return error ? <div class="empty"><span>{error}</span></div> : <div class="empty"><div class="spinner" />{children}</div>;
}

export function Severity({ of }: { of: string }): JSX.Element {
  return <span class={`chip small sev-${of}`}>{of}</span>;
}
