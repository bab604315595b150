// Which lanes the timeline shows, in which order, and how high: the user's, kept in the browser.

export const LANES = ["film", "groups", "actions", "protocol", "network", "console", "frames"] as const;
export type Lane = (typeof LANES)[number];

export const LANE_NAME: Record<Lane, string> = { film: "Film strip", groups: "Groups", actions: "Actions", protocol: "Protocol", network: "Network", console: "Console", frames: "Frames" };

export interface LaneSetting { hidden: boolean; folded: boolean; pinned: boolean; scale: number }

const STORED = "tracedeck-lanes";
const LEAST = 0.5, MOST = 4;
const PLAIN: LaneSetting = { hidden: false, folded: false, pinned: false, scale: 1 };

const fit = (scale: number): number => (Number.isFinite(scale) ? Math.max(LEAST, Math.min(MOST, scale)) : 1);

const own = new Map<Lane, LaneSetting>();
read();

function read(): void {
  try {
    const v = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, Partial<LaneSetting>>;
    for (const lane of LANES) {
      const s = v[lane];
      if (s) own.set(lane, { hidden: s.hidden === true, folded: s.folded === true, pinned: s.pinned === true, scale: fit(Number(s.scale)) });
    }
  } catch { /* no browser, or what is stored is not ours */ }
}

export const laneSetting = (lane: Lane): LaneSetting => own.get(lane) ?? PLAIN;

export function setLane(lane: Lane, change: Partial<LaneSetting>): void {
  const s = { ...laneSetting(lane), ...change };
  own.set(lane, { ...s, scale: fit(s.scale) });
  try { localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(own))); } catch { /* then it holds until the page is gone */ }
}

/** Lanes as the format orders them, the pinned ones first. */
export const laneOrder = (): Lane[] => [...LANES].sort((a, b) => Number(laneSetting(b).pinned) - Number(laneSetting(a).pinned));

export function resetLanes(): void {
  own.clear();
  try { localStorage.removeItem(STORED); } catch { /* there is none */ }
}
