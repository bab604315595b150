// A recorded request as the page gets it, and as a command that does it again.

export interface NameValue { name: string; value: string }

/** A body as text, or, where it is none, as base64. */
export interface Carried { text?: string; base64?: string }

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

/** Bytes as text if they are text that comes through a terminal unchanged. */
export function carried(bytes: Uint8Array): Carried {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex
    if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return { text };
  } catch {
    // then it is none
  }
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return { base64: btoa(binary) };
}

const has = (c: Carried | undefined): c is Carried => !!c && (c.base64 !== undefined || !!c.text);

/** What was sent: the body that the trace keeps apart, or the text in the entry. */
const bodyOf = (e: HarEntry, sent: Carried | undefined): Carried | undefined => (has(sent) ? sent : e.request?.postData?.text ? { text: e.request.postData.text } : undefined);

/** The request and its answer as a HAR of one entry, with the bodies in it. */
export function asHar(e: HarEntry, sent?: Carried, got?: Carried): string {
  const entry = structuredClone(e) as HarEntry & { request?: { postData?: Record<string, unknown> }; response?: { content?: Record<string, unknown> } };
  if (has(sent) && entry.request?.postData) Object.assign(entry.request.postData, sent.text !== undefined ? { text: sent.text } : { text: sent.base64, _encoding: "base64" });
  if (has(got) && entry.response) entry.response.content = { ...entry.response.content, ...(got.text !== undefined ? { text: got.text } : { text: got.base64, encoding: "base64" }) };
  return JSON.stringify({ log: { version: "1.2", creator: { name: "tracedeck", version: "1" }, entries: [entry] } }, null, 2);
}

const shell = (s: string): string => `'${s.replaceAll("'", `'\\''`)}'`;

/** A header as curl takes it: an empty one would be taken away. */
const headerOf = (h: NameValue): string => (h.value === "" ? `${h.name};` : `${h.name}: ${h.value}`);

export function asCurl(e: HarEntry, sent?: Carried): string {
  const q = e.request ?? {}, method = q.method ?? "GET", body = bodyOf(e, sent), url = q.url ?? "";
  const parts = [`curl ${/[[\]{}]/.test(url) ? "--globoff " : ""}${shell(url)}`];
  if (method === "HEAD") parts.push("--head"); // by its name curl would wait for a body
  else if (method !== "GET" || body) parts.push(`-X ${shell(method)}`);
  for (const h of q.headers ?? []) if (!OWN.test(h.name)) parts.push(`-H ${shell(headerOf(h))}`);
  // Curl would say of a body what kind it is.
  if (body && !(q.headers ?? []).some((h) => /^content-type$/i.test(h.name))) parts.push(`-H ${shell(q.postData?.mimeType ? `Content-Type: ${q.postData.mimeType}` : "Content-Type:")}`);
  if (body?.text !== undefined) parts.push(`--data-raw ${shell(body.text)}`);
  if (body?.base64 !== undefined) parts.push("--data-binary @-");
  const command = parts.join(" \\\n  ");
  return body?.base64 !== undefined ? `printf %s ${shell(body.base64)} | base64 -d | ${command}` : command;
}

export function asFetch(e: HarEntry, sent?: Carried): string {
  const q = e.request ?? {}, method = q.method ?? "GET", body = bodyOf(e, sent);
  const headers: Record<string, string> = {};
  for (const h of q.headers ?? []) if (!OWN.test(h.name)) headers[h.name] = headers[h.name] === undefined ? h.value : `${headers[h.name]}, ${h.value}`;
  const lines = [`  method: ${JSON.stringify(method)}`, `  headers: ${JSON.stringify(headers, null, 2).replaceAll("\n", "\n  ")}`];
  if (body && method !== "GET" && method !== "HEAD") lines.push(`  body: ${body.text !== undefined ? JSON.stringify(body.text) : `Uint8Array.from(atob(${JSON.stringify(body.base64)}), (c) => c.charCodeAt(0))`}`);
  return `await fetch(${JSON.stringify(q.url ?? "")}, {\n${lines.join(",\n")}\n});`;
}
