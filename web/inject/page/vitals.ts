import { type Report } from "../input/report";

// watchVitals tells how the page performs: web vitals when they changed, at
// most once a second, and long tasks. It returns what tells those that wait.
export function watchVitals(report: Report): () => void {
  const vitals: Record<string, number> = { CLS: 0 };
  let due: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => { clearTimeout(due); due = undefined; report({ op: "vitals", url: location.href, ...vitals }); };
  const set = (name: string, value: number | undefined): void => {
    if (value === undefined || vitals[name] === value) return;
    vitals[name] = value;
    due ??= setTimeout(tell, 1000);
  };
  watch<PerformanceNavigationTiming>("navigation", e => set("TTFB", e.responseStart));
  watch("paint", e => { if (e.name === "first-contentful-paint") set("FCP", e.startTime); });
  watch("largest-contentful-paint", e => set("LCP", e.startTime));
  const shifts = new Shifts(), interactions = new Interactions();
  watch<PerformanceEntry & { value: number; hadRecentInput: boolean }>("layout-shift", e => { if (!e.hadRecentInput) set("CLS", shifts.add(e.startTime, e.value)); });
  // Quicker ones need not be told: nobody notices them, and telling costs. The first always is.
  for (const type of ["event", "first-input"]) {
    watch<PerformanceEventTiming & { interactionId: number }>(type, e => { if (e.interactionId) set("INP", interactions.add(e.interactionId, e.duration)); }, { durationThreshold: 40 });
  }
  watch("longtask", e => report({ op: "longtask", duration: e.duration, age: Math.max(0, performance.now() - e.startTime) }));
  addEventListener("pagehide", tell, { capture: true });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") tell(); }, { capture: true });
  return () => { if (due !== undefined) tell(); };
}

function watch<E extends PerformanceEntry>(type: string, each: (e: E) => void, more: object = {}): void {
  try {
    new PerformanceObserver(list => { for (const e of list.getEntries()) each(e as E); }).observe({ type, buffered: true, ...more });
  } catch { /* not in this browser */ }
}

// Shifts adds up layout shifts of one burst: less than a second apart, five in all.
class Shifts {
  private sum = 0;
  private first = -Infinity;
  private last = -Infinity;
  private most = 0;

  add(at: number, value: number): number {
    if (at - this.last > 1000 || at - this.first > 5000) { this.sum = 0; this.first = at; }
    this.sum += value;
    this.last = at;
    return this.most = Math.max(this.most, this.sum);
  }
}

// Interactions knows the slowest ones, of which one in fifty is left out.
class Interactions {
  private longest = new Map<number, number>();
  private count = 0;

  add(id: number, duration: number): number {
    if (!this.longest.has(id)) this.count++;
    this.longest.set(id, Math.max(this.longest.get(id) ?? 0, duration));
    const sorted = [...this.longest].sort((a, b) => b[1] - a[1]);
    if (sorted.length > 10) this.longest.delete((sorted.pop() as [number, number])[0]);
    return sorted[Math.min(sorted.length - 1, Math.floor(this.count / 50))][1];
  }
}
