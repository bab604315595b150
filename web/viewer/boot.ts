// Opens the connection while the viewer's own script is still on its way: the
// server's first rows are here when that begins. It is the first script of the
// page, and as small as can be.

import { wanted } from "./model/link";
import { launchToken, tokenKept } from "./model/token";
import { hello } from "./model/hello";

export interface Early {
  ws: WebSocket;
  frames: ArrayBuffer[]; // that have come until somebody takes the connection over
  wanted: string | undefined;
}

declare global {
  interface Window { tracedeckEarly?: Early }
}

const launch = launchToken(location.hash);
const trace = wanted(launch ? launch.rest : location.hash);
const ws = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
const early: Early = { ws, frames: [], wanted: trace };
ws.binaryType = "arraybuffer";
ws.onopen = () => ws.send(hello(launch?.token ?? tokenKept(), trace));
ws.onmessage = (m) => { early.frames.push(m.data as ArrayBuffer); };
window.tracedeckEarly = early;
