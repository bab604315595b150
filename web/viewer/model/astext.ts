// A step as text for an issue or a chat: what, when, why, and where to see it.

import { app, title } from "./app";
import { headline, plain } from "./reasons";
import { duration, moment } from "./time";

export function asText(link: string): string {
  const t = app.trace, d = app.derived, row = app.selected;
  if (!t || !d) return link;
  const lines = [`${title(t)}`];
  const browser = t.meta?.contexts.find((c) => c.browser !== "");
  if (browser) lines.push(`${browser.browser} on ${browser.platform}, recorded by ${browser.producer}`);
  if (row >= 0) {
    const a = t.actions, start = t.num(a, "start", row);
    lines.push("", `Step: ${t.text(a, "title", row)} ${t.text(a, "detail", row)}`.trimEnd(), `At ${moment(start)}, took ${duration(t.actionEnd(row) - start)}`);
    const message = t.text(a, "message", row);
    if (message) lines.push("", `Error: ${headline(message)}`, "", plain(message));
  }
  lines.push("", link);
  return lines.join("\n");
}
