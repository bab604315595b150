// What a failed action's message and log say, in words a person would use.

const SGR = /\u001b\[[0-9;]*m/g;

export const plain = (message: string): string => message.replace(SGR, "");

/** The first sentence of a message, without the names of the method and the class of the error. */
export function headline(message: string): string {
  const first = plain(message).split("\n").find((l) => l.trim() !== "") ?? "";
  return first.replace(/^(?:\w*Error: )+/, "").replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, "").trim();
}

/** What a message says after its headline, without the log, which is shown on its own. */
export function rest(message: string): string {
  const lines = plain(message).split("\n");
  const at = lines.findIndex((l) => l.trim() !== "");
  const body: string[] = [];
  for (const l of lines.slice(at + 1)) {
    if (/^\s*(Call log|=+ logs =+)/i.test(l)) break;
    body.push(l);
  }
  return body.join("\n").replace(/^\n+|\n+$/g, "");
}

export type Verdict = "yes" | "no" | "unknown";

export interface Check { name: string; verdict: Verdict }

const RULES: { name: string; no: RegExp; yes: RegExp }[] = [
  { name: "found", no: /waiting for (?!element|fonts|navigation|scheduled|event)|resolved to 0 elements|element\(s\) not found/i, yes: /resolved to (?!0 )|element is (not )?(visible|enabled|stable|editable)/i },
  { name: "one match", no: /strict mode violation/i, yes: /resolved to <|resolved to visible/i },
  { name: "visible", no: /element is not visible|resolved to hidden|outside of the viewport/i, yes: /element is visible|resolved to visible|visible, enabled/i },
  { name: "stable", no: /element is not stable|element was detached/i, yes: /enabled and stable/i },
  { name: "enabled", no: /element is not enabled|element is disabled/i, yes: /visible, enabled|element is enabled/i },
  { name: "editable", no: /element is not editable|element is readonly/i, yes: /enabled and editable/i },
  { name: "as expected", no: /unexpected value/i, yes: /^\s*expected value/i },
  { name: "hit target", no: /intercepts pointer events/i, yes: /performing click action|click action done/i },
];

/**
 * What an action that waits for its target had found when it gave up: the last
 * line that says something of a check decides. Empty if the log tells of none.
 */
export function checks(log: string[]): { checks: Check[]; attempts: number } {
  const found: Check[] = RULES.map((r) => ({ name: r.name, verdict: "unknown" as Verdict }));
  let attempts = 0;
  for (const line of log) {
    if (/attempting \w+ action|retrying \w+ action/i.test(line)) attempts++;
    const repeated = /^\s*(\d+) ×/.exec(line);
    if (repeated) attempts += Number(repeated[1]) - 1;
    RULES.forEach((r, i) => {
      if (r.no.test(line)) found[i].verdict = "no";
      if (r.yes.test(line)) found[i].verdict = "yes";
    });
  }
  const known = found.filter((c) => c.verdict !== "unknown");
  return { checks: known.some((c) => c.name !== "found" || c.verdict === "no") ? known : [], attempts };
}

/** One sentence about why, if the log tells. */
export function because(list: Check[]): string {
  const no = new Set(list.filter((c) => c.verdict === "no").map((c) => c.name));
  if (no.has("one match")) return "More than one element matches the locator.";
  if (no.has("found")) return "No element matched the locator for the whole wait.";
  if (no.has("visible")) return "The element was found, but stayed invisible.";
  if (no.has("stable")) return "The element kept moving or was replaced.";
  if (no.has("enabled")) return "The element was found, but stayed disabled.";
  if (no.has("editable")) return "The element was found, but could not be edited.";
  if (no.has("as expected")) return "The element was found, but never had the expected value.";
  if (no.has("hit target")) return "Another element lay above it and would have got the click.";
  return "";
}
