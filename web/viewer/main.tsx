import { render } from "preact";
import "./style.css";
import { app } from "./model/app";
import { Offline, unpack } from "./model/offline";
import { Screen } from "./ui/app";

const KEY = "tracedeck-token";

/** The launch link brings the token; it leaves the address at once, so that copied links hold no secret. */
function token(): string {
  const m = /^#token=([0-9a-zA-Z_-]{8,128})(?:&(.*))?$/.exec(location.hash);
  if (m) {
    localStorage.setItem(KEY, m[1]);
    history.replaceState(null, "", `${location.pathname}${m[2] ? `#${m[2]}` : ""}`);
  }
  return m?.[1] ?? localStorage.getItem(KEY) ?? "";
}

/** Waits this long for the server before anything is drawn. */
const GREETING = 40; // ms

/** The server is greeted before anything is drawn: it answers while the page draws. */
async function begin(): Promise<void> {
  const packed = unpack();
  if (packed) { void packed.then((p) => app.beginOffline(new Offline(p))); return; }
  const greeted = app.begin(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, token());
  await Promise.race([greeted, new Promise((late) => { setTimeout(late, GREETING); })]);
}

void begin().then(() => render(<Screen />, document.getElementById("app")!));
