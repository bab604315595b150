// A clock of the recorded program's own, as Playwright's page.clock gives one:
// the page's time stands, jumps or runs as it is told.
(() => {
  const world = globalThis;
  if (world.__tracedeckClock) return;
  const NativeDate = world.Date, perf = world.performance.now.bind(world.performance), native = {};
  for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame", "cancelAnimationFrame", "requestIdleCallback", "cancelIdleCallback"]) native[name] = world[name]?.bind(world);
  let base = NativeDate.now(), since = perf(), rate = 1, fixed = null, ids = 1e9, ticker = 0, began = base;
  const queue = new Map();
  const now = () => rate ? base + Math.floor(perf() - since) : base;
  const set = (t, r = rate) => { base = t; since = perf(); rate = r; };
  const next = () => { let first; for (const t of queue.values()) if (!first || t.at < first.at || t.at === first.at && t.id < first.id) first = t; return first; };
  const call = (t) => {
    if (t.every === undefined) queue.delete(t.id); else t.at += Math.max(1, t.every);
    try { typeof t.f === "function" ? t.f.apply(world, t.args()) : (0, eval)(String(t.f)); } catch (e) { native.setTimeout(() => { throw e; }, 0); }
  };
  const tick = () => {
    native.clearTimeout(ticker);
    const t = rate && next();
    if (t) ticker = native.setTimeout(() => { for (let n = 0, x; n < 1000 && rate && (x = next()) && x.at <= now(); n++) call(x); tick(); }, Math.max(0, t.at - now()));
  };
  const add = (f, ms, every, args) => { const id = ids++; queue.set(id, { id, f, at: now() + Math.max(0, Number(ms) || 0), every, args }); tick(); return id; };
  const drop = (other) => (id) => { if (!queue.delete(id)) other?.(id); tick(); };
  const run = async (to) => {
    for (let t, n = 0; n < 1e6 && (t = next()) && t.at <= to; n++) { set(Math.max(now(), t.at), 0); call(t); await null; await null; }
    set(Math.max(to, base), 0);
  };
  const jump = (to) => { for (const t of queue.values()) if (t.at < to) t.at = to; return run(to); };

  world.setTimeout = (f, ms, ...a) => add(f, ms, undefined, () => a);
  world.setInterval = (f, ms, ...a) => add(f, ms, Math.max(1, Number(ms) || 0), () => a);
  world.clearTimeout = drop(native.clearTimeout);
  world.clearInterval = drop(native.clearInterval);
  world.requestAnimationFrame = (f) => add(f, 16 - (now() % 16), undefined, () => [now() - began]);
  world.cancelAnimationFrame = drop(native.cancelAnimationFrame);
  if (native.requestIdleCallback) { world.requestIdleCallback = (f) => add(f, 50, undefined, () => [{ didTimeout: false, timeRemaining: () => 0 }]); world.cancelIdleCallback = drop(native.cancelIdleCallback); }
  world.performance.now = () => now() - began;
  const time = () => fixed ?? now();
  world.Date = new Proxy(NativeDate, {
    construct: (D, a, target) => Reflect.construct(D, a.length ? a : [time()], target === world.Date ? D : target),
    apply: () => new NativeDate(time()).toString(),
    get: (D, name, receiver) => name === "now" ? time : Reflect.get(D, name, receiver),
  });
  NativeDate.prototype.constructor = world.Date;

  const commands = {
    install: (t) => { set(t); began = t; },
    pauseAt: async (t) => { const from = now(); set(from, 0); await jump(t); },
    runFor: async (ms) => { const was = rate; set(now(), 0); await run(base + ms); set(base, was); },
    fastForward: async (ms) => { const was = rate; set(now(), 0); await jump(base + ms); set(base, was); },
    resume: () => { set(now(), 1); },
    setFixedTime: (t) => { fixed = t; },
    setSystemTime: (t) => { const by = t - now(); fixed = null; set(t); for (const x of queue.values()) x.at += by; },
  };
  world.__tracedeckClock = {
    do: (name, n) => Promise.resolve(commands[name](n)).then(() => { tick(); }),
    // state is what a document that is opened later goes on from.
    state: () => ({ wall: NativeDate.now(), fake: now(), rate, fixed, began }),
    take: (s) => { rate = s.rate; fixed = s.fixed; began = s.began; set(s.fake + (rate ? NativeDate.now() - s.wall : 0)); },
  };
})();
