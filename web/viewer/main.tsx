import { render } from "preact";
import "./style.css";
import { app } from "./model/app";
import { Offline, unpack } from "./model/offline";
import { token } from "./model/token";
import type {} from "./boot";
import { Screen } from "./ui/app";

/** Waits this long for the first steps before anything is drawn: they are drawn with it, instead of after it. */
const GREETING = 60; // ms

async function begin(): Promise<void> {
  const packed = unpack();
  if (packed) { void packed.then((p) => app.beginOffline(new Offline(p))); return; }
  const shown = app.begin(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, token(), window.tracedeckEarly);
  await Promise.race([shown, new Promise((late) => { setTimeout(late, GREETING); })]);
}

void begin().then(() => render(<Screen />, document.getElementById("app")!));
