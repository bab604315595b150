import { app } from "../model/app";

/** Saves one trace, or two side by side, as one HTML file that needs no server. */
export async function saveAsPage(a: string, b?: string): Promise<void> {
  app.say("Making the file…");
  const r = await fetch(`export?a=${a}${b ? `&b=${b}` : ""}`, { method: "POST", headers: { Authorization: `Bearer ${app.token}` }, credentials: "omit" }).catch(() => undefined);
  if (!r?.ok) { app.say(r ? (await r.text()).trim() : "The server is gone"); return; }
  const url = URL.createObjectURL(await r.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = b ? "comparison.html" : "trace.html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  app.say("Saved as one HTML file");
}
