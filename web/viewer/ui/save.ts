import { app } from "../model/app";

/** Hands a file over. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves a text as a file. */
export function saveText(text: string, name: string): void {
  download(new Blob([text], { type: "text/plain" }), name);
  app.say(`Saved: ${name}`);
}

/** Saves one trace, or two side by side, as one HTML file that needs no server. */
export async function saveAsPage(a: string, b: string | undefined, o: { redact: boolean; pictures: boolean }): Promise<void> {
  app.say("Making the file…");
  const r = await fetch(`export?a=${a}${b ? `&b=${b}` : ""}${o.redact ? "&redact=1" : ""}${o.pictures ? "" : "&pictures=0"}`, { method: "POST", headers: { Authorization: `Bearer ${app.token}` }, credentials: "omit" }).catch(() => undefined);
  if (!r?.ok) { app.say(r ? (await r.text()).trim() : "The server is gone"); return; }
  download(await r.blob(), b ? "comparison.html" : "trace.html");
  app.say("Saved as one HTML file");
}
