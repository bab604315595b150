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

/** The socket opens before anything is drawn: drawing takes longer than the server to answer. */
function begin(): void {
  const packed = unpack();
  if (packed) { void packed.then((p) => app.beginOffline(new Offline(p))); return; }
  app.begin(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, token());
}

begin();
render(<Screen />, document.getElementById("app")!);
