// Runs before the scripts of each document and worker. CONFIG comes before it:
// {seed, epoch, regime, realm, now, block, lag, far}.
(function () {
  const G = globalThis;
  if (G.__tracedeck) return;
  const isWindow = typeof document !== 'undefined', deck = {};
  Object.defineProperty(G, '__tracedeck', { value: deck, enumerable: false });
  const attempt = f => { try { return f(); } catch { return undefined; } };

  // Random numbers: one generator a realm. Its key is what the realm is, so
  // that the order in which realms begin does not matter: for a page its path,
  // for a page of files that it is one, since the folder may be another one
  // now, and for a worker its file without the digest that a build gave it.
  const hash = s => { let h = 0x811c9dc5; for (let i = 0; i < s.length; i++) { h ^= s.charCodeAt(i); h = Math.imul(h, 0x01000193); } return h >>> 0; };
  const place = attempt(() => {
    if (location.protocol === 'blob:') return 'blob';
    if (!isWindow) return location.pathname.split('/').pop().replace(/[-._~][\w-]{6,}(?=\.\w+$)/, '');
    return location.protocol === 'file:' ? 'file' : location.pathname;
  }) || '';
  const nesting = () => { // which frame of its parent, and that of which
    const way = [];
    for (let w = G; isWindow && w !== w.parent && way.length < 20; w = w.parent) {
      let i = 0;
      while (i < w.parent.length && w.parent[i] !== w) i++;
      way.push(i);
    }
    return way.join('.');
  };
  const visit = isWindow && G === G.top ? attempt(() => history.length + (performance.getEntriesByType('navigation')[0] || {}).type) : '';
  let state = hash([CONFIG.seed, place, isWindow ? 'w' : 'k', CONFIG.realm, nesting(), visit].join('|'));
  const bits = () => { state = (state + 0x6D2B79F5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return (t ^ (t >>> 14)) >>> 0; };
  hide(Math, 'random', function random() { return (bits() * 2097152 + (bits() >>> 11)) / 9007199254740992; });
  if (G.Crypto) {
    const real = Crypto.prototype.getRandomValues;
    hide(Crypto.prototype, 'getRandomValues', function getRandomValues(a) {
      if (!ArrayBuffer.isView(a) || a instanceof DataView || a.byteLength > 65536 || /Float/.test(a.constructor.name)) return real.call(this, a); // which refuses it
      const b = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
      for (let i = 0; i < b.length; i++) b[i] = bits() & 255;
      return a;
    });
    if (Crypto.prototype.randomUUID) hide(Crypto.prototype, 'randomUUID', function randomUUID() {
      const b = Array.from({ length: 16 }, () => bits() & 255);
      b[6] = b[6] & 15 | 64; b[8] = b[8] & 63 | 128;
      const h = b.map(x => x.toString(16).padStart(2, '0')).join('');
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
    });
  }
  // What the machine is.
  for (const [k, v] of [['hardwareConcurrency', 4], ['deviceMemory', 8]]) attempt(() => Object.defineProperty(Object.getPrototypeOf(navigator), k, { get: () => v, configurable: true }));
  if (isWindow) attempt(() => { const m = { jsHeapSizeLimit: 4294705152, totalJSHeapSize: 20000000, usedJSHeapSize: 10000000 }; Object.defineProperty(Performance.prototype, 'memory', { get: () => m, configurable: true }); });
  const are = (owner, values) => { for (const [k, v] of Object.entries(values)) attempt(() => k in G[owner].prototype && Object.defineProperty(G[owner].prototype, k, { get: () => v, configurable: true, enumerable: true })); };
  are('NetworkInformation', { effectiveType: '4g', rtt: 50, downlink: 10, saveData: false });
  are('BatteryManager', { charging: true, chargingTime: 0, dischargingTime: Infinity, level: 1 });
  if (CONFIG.block && navigator.serviceWorker) attempt(() => hide(Object.getPrototypeOf(navigator.serviceWorker), 'register', function register() { return Promise.reject(new DOMException('service workers are blocked in a replay', 'SecurityError')); }));
  if (CONFIG.regime === 'real') return;

  // It has digits behind those of a date, which are left to chance.
  if (G.Temporal) attempt(() => {
    const N = Temporal.Now, instant = () => Temporal.Instant.fromEpochMilliseconds(Date.now()), zoned = zone => instant().toZonedDateTimeISO(zone === undefined ? N.timeZoneId() : zone);
    const all = { instant: () => instant(), zonedDateTimeISO: zoned, plainDateTimeISO: z => zoned(z).toPlainDateTime(), plainDateISO: z => zoned(z).toPlainDate(), plainTimeISO: z => zoned(z).toPlainTime() };
    for (const [k, f] of Object.entries(all)) hide(N, k, { [k](zone) { return f(zone); } }[k]);
  });
  const virtual = CONFIG.regime === 'frames' || CONFIG.regime === 'timers';
  // The browser rounds its clocks by chance to tenths of a millisecond; time
  // passes by halves of one.
  const half = x => Math.round(x * 2) / 2;
  if (!isWindow || !virtual) Object.assign(deck, installClock(G, CONFIG.epoch, CONFIG.now));
  // Workers take turns in the order in which they were made: their names tell it.
  const mark = ' tracedeck ';
  if (!isWindow && typeof G.name === 'string' && G.name.includes(mark)) {
    const [name, order] = G.name.split(mark);
    deck.order = +order;
    hide(G, 'name', name);
  }
  if (G.Worker) attempt(() => {
    let made = 0;
    G.Worker = new Proxy(Worker, { construct(t, [url, options, ...rest], as) {
      const asked = Object(options === undefined || options === null ? {} : options), name = (asked.name === undefined ? '' : `${asked.name}`) + mark + ++made;
      const given = new Proxy({}, { get: (o, k) => k === 'name' ? name : asked[k] }); // what is frozen cannot be told otherwise
      if (deck.making) deck.making();
      let worker;
      try { return worker = Reflect.construct(t, arguments.length && arguments[1].length ? [url, given, ...rest] : [], as); } finally { if (deck.made) deck.made(worker); }
    } });
    hide(G.Worker.prototype, 'constructor', G.Worker);
  });

  // The time origin of a later document is the browser's real clock, so a
  // page's time would begin at a random value: it begins at zero when the
  // document does. A script that reads the clock until it has moved would wait
  // for ever where time passes between tasks only: it is moved for it.
  if (isWindow && virtual) {
    const now = performance.now.bind(performance), zero = now(), RealDate = Date, dateNow = Date.now, origin = dateNow();
    const most = 100000;
    let before = -1, reads = 0, ahead = 0;
    const pushed = real => {
      if (real !== before) { before = real; reads = 0; ahead = Math.max(0, ahead - 1e9); }
      return ++reads > most ? ahead = Math.ceil((reads - most) / 50) : ahead;
    };
    hide(Performance.prototype, 'now', function () { const t = now(); return half(t - zero) + pushed(t); });
    deck.age = t => t > 0 ? Math.max(0, half(t - zero)) : 0;
    attempt(() => Object.defineProperty(Performance.prototype, 'timeOrigin', { get: () => origin, configurable: true }));
    G.Date = dateOf(RealDate, () => { const t = dateNow(); return t + pushed(now()); });
    const frame = G.requestAnimationFrame.bind(G);
    if (CONFIG.regime === 'frames') hide(G, 'requestAnimationFrame', function requestAnimationFrame(f) { return frame(() => f(half(now() - zero))); });
    // Where the times of animations begin: the driver makes frames at halves of a
    // millisecond from there, and is told what is left of one.
    const begins = Math.max(0, Math.floor((zero - 0.1) * 2) / 2), fine = x => Math.round(x * 1e7) / 1e7;
    let begun = begins - (CONFIG.regime === 'frames' ? CONFIG.lag : 0);
    if (G === G.top && G.__tracedeckTell) G.__tracedeckTell(`z${zero - begins}`);
    const timed = (owner, key, get, set) => attempt(() => {
      const real = Object.getOwnPropertyDescriptor(G[owner].prototype, key);
      Object.defineProperty(G[owner].prototype, key, { ...real, get() { const v = real.get.call(this); return typeof v === 'number' ? get(v, this) : v; }, ...(set && { set(v) { real.set.call(this, typeof v === 'number' ? set(v, this) : v); } }) });
      return real;
    });
    // Frames inside of others begin at times of their own.
    const shown = G === G.top ? v => half(v - begun) : () => half(now() - zero);
    const line = timed('AnimationTimeline', 'currentTime', (v, timeline) => {
      const usual = timeline === document.timeline ? v : line.get.call(document.timeline);
      return shown(usual) - half(usual - v);
    });
    // In a process that is not the first one frames are far ahead of the clock.
    const far = v => v - now() > CONFIG.far;
    if (CONFIG.regime === 'frames') {
      const heard = G === G.top && G.__tracedeckTell || (() => {});
      frame(() => { const v = line.get.call(document.timeline); if (far(v)) begun = v - half(now() - zero); heard('f'); });
    }
    const usual = animation => animation.timeline instanceof DocumentTimeline;
    timed('Animation', 'startTime', (v, animation) => fine(usual(animation) ? v - begun : v), (v, animation) => usual(animation) ? v + begun : v);
    timed('Animation', 'currentTime', fine, v => v);
    timed('AnimationPlaybackEvent', 'timelineTime', v => fine(v - begun));
    timed('AnimationPlaybackEvent', 'currentTime', fine);
    timed('IntersectionObserverEntry', 'time', v => far(v) ? half(v - begun) : deck.age(v));
    const seen = new WeakMap(); // input events carry the real time
    Object.defineProperty(Event.prototype, 'timeStamp', { get() { if (!seen.has(this)) seen.set(this, half(now() - zero)); return seen.get(this); }, configurable: true });
  }
  // An answer whose body nobody takes keeps its request open, and that would
  // hold the clock: it is read for the page, which can still read it itself.
  if (virtual && G.fetch) attempt(() => {
    const real = G.fetch;
    const read = async r => {
      for (let i = 0; i < 10; i++) await null; // after what the page does with it at once
      if (!r.body || r.bodyUsed || r.body.locked || /event-stream/.test(r.headers.get('content-type'))) return;
      const reader = r.clone().body.getReader();
      while (!(await reader.read()).done);
    };
    hide(G, 'fetch', { fetch() { return real.apply(this === undefined ? G : this, arguments).then(r => { read(r).catch(() => {}); return r; }); } }.fetch);
  });
  // How much the browser has left to do is chance.
  if (isWindow && virtual && G.requestIdleCallback) {
    let inside = false;
    const later = G.setTimeout.bind(G), drop = G.clearTimeout.bind(G);
    const run = f => { inside = true; try { f({ didTimeout: false, timeRemaining: () => 10 }); } finally { inside = false; } };
    hide(G, 'requestIdleCallback', function requestIdleCallback(f) { return later(() => run(f), inside ? 16 : 1); });
    hide(G, 'cancelIdleCallback', function cancelIdleCallback(id) { drop(id); });
  }
  // Frames on virtual timers, where the browser makes frames as it likes.
  if (isWindow && CONFIG.regime === 'timers') {
    let queue = new Map(), last = 0, armed = false;
    const later = G.setTimeout.bind(G), now = performance.now.bind(performance);
    const run = () => { armed = false; const list = queue; queue = new Map(); const t = now(); for (const f of list.values()) try { f(t); } catch (e) { reportError(e); } };
    hide(G, 'requestAnimationFrame', function requestAnimationFrame(f) { queue.set(++last, f); if (!armed) { armed = true; later(run, Math.max(1, 16 - now() % 16)); } return last; });
    hide(G, 'cancelAnimationFrame', function cancelAnimationFrame(id) { queue.delete(id); });
    attempt(() => Object.defineProperty(AnimationTimeline.prototype, 'currentTime', { get: () => now(), configurable: true }));
  }
  if (!isWindow || CONFIG.regime === 'frames') return;
  // Frames that are not ours blink the caret and decide when an animation
  // begins, so that its phase means nothing: the caret is hidden, and before a
  // picture what has an end is at its end and what has none at its beginning.
  attempt(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('*{caret-color:transparent!important}'); document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; });
  deck.settle = () => {
    for (const a of document.getAnimations()) attempt(() => { if (a.effect && a.effect.getComputedTiming().endTime === Infinity) a.cancel(); else a.finish(); });
    for (const v of document.querySelectorAll('svg')) attempt(() => { v.pauseAnimations(); v.setCurrentTime(0); });
  };
})();
