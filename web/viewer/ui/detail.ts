// What the server knows of a step beyond its row.

import { app } from "../model/app";
import { useAnswer } from "./hooks";

export interface StackFrame { file: string; line: number; column: number; function?: string }

export interface BeforeBody { params?: unknown; stack?: StackFrame[]; class?: string; method?: string; startTime?: number; [k: string]: unknown }

export interface AfterBody { error?: { message?: string; name?: string; stack?: string }; result?: unknown; attachments?: unknown[]; [k: string]: unknown }

export interface ActionDetail {
  before?: BeforeBody; after?: AfterBody; stepBefore?: BeforeBody; stepAfter?: AfterBody;
  stack?: StackFrame[];
  logs: { time: number | null; text: string }[];
  moreLogs?: number;
}

export function useDetail(row: number): { value?: ActionDetail; error?: string } {
  const t = app.trace;
  const done = t && row >= 0 && row < t.actions.rows ? t.num(t.actions, "flags", row) : 0;
  // A step that is still running is asked for again when it has ended.
  return useAnswer<ActionDetail>(t && row >= 0 ? `${t.id}/${t.epoch}/action/${row}/${done}/${t.num(t.actions, "logs", row)}` : "", () => app.connection.get(t!, "action", row));
}

/** Where in the program a step is, innermost first. */
export function stackOf(d: ActionDetail | undefined): StackFrame[] {
  for (const s of [d?.stack, d?.before?.stack, d?.stepBefore?.stack]) if (s && s.length > 0) return s;
  return [];
}
