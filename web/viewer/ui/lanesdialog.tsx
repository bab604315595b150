import type { JSX } from "preact";
import { app } from "../model/app";
import { LANE_NAME, LANES, laneSetting, resetLanes, setLane, type Lane, type LaneSetting } from "../model/lanesettings";
import { Dialog } from "./dialog";
import { useApp } from "./hooks";

/** Which lanes there are, and how they look. */
export function LanesDialog(): JSX.Element {
  useApp();
  const set = (lane: Lane, change: Partial<LaneSetting>): void => { setLane(lane, change); app.tell(); };
  const box = (lane: Lane, name: "pinned" | "folded" | "hidden"): JSX.Element => (
    <td><input type="checkbox" aria-label={`${LANE_NAME[lane]} ${name}`} checked={laneSetting(lane)[name]} onChange={(e) => set(lane, { [name]: e.currentTarget.checked })} /></td>);
  return (
    <Dialog label="Lanes of the timeline">
      <div class="dialoghead"><h2>Lanes of the timeline</h2><button class="btn ghost" aria-label="Close" onClick={() => app.set({ dialog: "" })}>✕</button></div>
      <div class="lanetable"><table><thead><tr><th scope="col">Lane</th><th scope="col">On top</th><th scope="col">Folded</th><th scope="col">Hidden</th><th scope="col">Height</th></tr></thead>
        <tbody>{LANES.map((lane) => (
          <tr key={lane}><th scope="row">{LANE_NAME[lane]}</th>{box(lane, "pinned")}{box(lane, "folded")}{box(lane, "hidden")}
            <td><input type="range" min={0.5} max={4} step={0.25} aria-label={`Height of ${LANE_NAME[lane]}`} value={laneSetting(lane).scale} onInput={(e) => set(lane, { scale: Number(e.currentTarget.value) })} /></td></tr>))}</tbody></table></div>
      <div class="formfoot keyfoot"><span class="dim">In the timeline a click on a lane's name folds it, and its lower edge is dragged. A lane without anything in it is left out.</span><span class="sp" /><button class="btn small" onClick={() => { resetLanes(); app.tell(); }}>Defaults</button></div>
    </Dialog>
  );
}
