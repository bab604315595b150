// A recorded request as the page gets it, and as a command that does it again.

export interface NameValue { name: string; value: string }

export interface HarEntry {
  request?: { method?: string; url?: string; headers?: NameValue[]; queryString?: NameValue[]; postData?: { mimeType?: string; text?: string; params?: { name: string; value?: string }[] } };
  response?: { status?: number; statusText?: string; httpVersion?: string; headers?: NameValue[]; redirectURL?: string; _failureText?: string };
  timings?: Partial<Record<"blocked" | "dns" | "connect" | "ssl" | "send" | "wait" | "receive", number>>;
  _initiator?: { type?: string; url?: string; lineNumber?: number; stack?: unknown };
  serverIPAddress?: string;
  _serverPort?: number;
}

/** Headers that a client makes itself. */
const OWN = /^(:|host$|content-length$|connection$|accept-encoding$|transfer-encoding$)/i;

/** The request as a HAR of one entry. */
export function asHar(e: HarEntry): string {
  return JSON.stringify({ log: { version: "1.2", creator: { name: "tracedeck", version: "1" }, entries: [e] } }, null, 2);
}

const shell = (s: string): string => `'${s.replaceAll("'", `'\\''`)}'`;

export function asCurl(e: HarEntry): string {
  const q = e.request ?? {};
  const parts = [`curl ${shell(q.url ?? "")}`];
  if (q.method && q.method !== "GET") parts.push(`-X ${shell(q.method)}`);
  for (const h of q.headers ?? []) if (!OWN.test(h.name)) parts.push(`-H ${shell(`${h.name}: ${h.value}`)}`);
  if (q.postData?.text) parts.push(`--data-raw ${shell(q.postData.text)}`);
  return parts.join(" \\\n  ");
}

export function asFetch(e: HarEntry): string {
  const q = e.request ?? {};
  const headers = Object.fromEntries((q.headers ?? []).filter((h) => !OWN.test(h.name)).map((h) => [h.name, h.value]));
  const init = { method: q.method ?? "GET", headers, ...(q.postData?.text ? { body: q.postData.text } : {}) };
  return `await fetch(${JSON.stringify(q.url ?? "")}, ${JSON.stringify(init, null, 2)});`;
}
