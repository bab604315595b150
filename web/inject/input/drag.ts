import { isElement } from "../dom/native";
import { place, type Stage } from "./stage";

// watchDrags reports what is dragged and where it is dropped. Files from
// outside are named.
export function watchDrags(s: Stage): void {
  let source: { selector: string; position: { x: number; y: number } } | undefined;
  s.on<DragEvent>("dragstart", (e, n) => {
    const from = isElement(n) ? n : n instanceof Text ? n.parentElement : null;
    source = from ? { selector: s.selector(from), position: place(e, from).position } : undefined;
  });
  s.on<DragEvent>("drop", (e, n) => {
    if (!isElement(n)) return;
    const { point, position } = place(e, n), files = Array.from(e.dataTransfer?.files ?? [], f => ({ name: f.name, type: f.type, size: f.size }));
    const params: Record<string, unknown> = { selector: undefined, source: source?.selector, target: s.selector(n), targetPosition: position };
    if (source) params["sourcePosition"] = source.position;
    if (files.length > 0) params["_files"] = files;
    s.act(e, n, "dragAndDrop", params, { point });
    source = undefined;
  });
  s.on("dragend", () => { source = undefined; });
}
