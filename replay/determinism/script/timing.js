// What the browser measures of a page is measured by real clocks. Pages are told
// when things happened by their own, and that nothing takes time which takes none
// there.
(function () {
  const G = globalThis, deck = G.__tracedeck, attempt = f => { try { return f(); } catch { return undefined; } };
  if (!deck || deck.timed || CONFIG.regime === 'real' || !G.PerformanceEntry) return;
  deck.timed = true;
  const now = () => performance.now(), seen = new WeakMap(), getter = (C, k) => G[C] && Object.getOwnPropertyDescriptor(G[C].prototype, k)?.get;
  const type = getter('PerformanceEntry', 'entryType'), start = getter('PerformanceEntry', 'startTime'), length = getter('PerformanceEntry', 'duration'), handled = getter('PerformanceEventTiming', 'processingStart');
  const paints = ['LargestContentfulPaint', 'PerformanceElementTiming', 'PerformancePaintTiming'], times = Object.fromEntries(paints.map(C => [C, getter(C, 'paintTime')]));
  const own = /^(mark|measure)$/, slow = /^(longtask|long-animation-frame|event)$/, least = 0.5;
  // Where the browser's clock is not ours, it happened when it is heard of.
  const at = (e, raw) => { if (deck.age) return deck.age(raw); if (!seen.has(e)) seen.set(e, now()); return seen.get(e); };
  // When a frame was shown is told by the real clock, and when it was painted by ours.
  const painted = e => { for (const C of paints) if (G[C] && e instanceof G[C]) { const get = times[C]; return get ? get.call(e) : 0; } return 0; };
  const began = e => {
    const kind = type.call(e), raw = start.call(e);
    if (own.test(kind)) return raw;
    if (kind === 'navigation') return 0;
    return at(e, painted(e) || (handled && e instanceof PerformanceEventTiming ? handled.call(e) : raw));
  };
  const took = e => {
    const kind = type.call(e), raw = length.call(e);
    if (own.test(kind)) return raw;
    if (kind === 'navigation') return e.loadEventEnd;
    if (kind === 'first-input') return 8;
    return kind === 'resource' || !deck.age || paints.some(C => G[C] && e instanceof G[C]) ? 0 : deck.age(start.call(e) + raw) - began(e);
  };
  const put = (C, names, make) => { for (const k of names.split(' ')) { const real = getter(C, k); if (real) Object.defineProperty(G[C].prototype, k, { get() { return make(real.call(this), this, k); }, configurable: true, enumerable: true }); } };
  put('PerformanceEntry', 'startTime', (raw, e) => began(e));
  put('PerformanceEntry', 'duration', (raw, e) => took(e));
  put('PerformanceResourceTiming', 'workerStart redirectStart redirectEnd fetchStart domainLookupStart domainLookupEnd connectStart secureConnectionStart connectEnd requestStart responseStart firstInterimResponseStart finalResponseHeadersStart responseEnd',
    (raw, e, k) => raw === 0 ? 0 : type.call(e) !== 'navigation' ? began(e) : k === 'fetchStart' ? 0 : least);
  put('PerformanceNavigationTiming', 'unloadEventStart unloadEventEnd domInteractive domContentLoadedEventStart domContentLoadedEventEnd domComplete loadEventStart loadEventEnd activationStart criticalCHRestart', (raw, e) => raw === 0 ? 0 : Math.max(least, at(e, raw)));
  for (const C of ['LargestContentfulPaint', 'PerformanceElementTiming', 'PerformancePaintTiming', 'LayoutShift', 'PerformanceEventTiming']) {
    put(C, 'renderTime loadTime paintTime presentationTime lastInputTime processingStart processingEnd', (raw, e, k) => typeof raw !== 'number' || raw === 0 ? raw : at(e, /^(render|presentation)Time$/.test(k) && painted(e) || raw));
  }
  const plain = e => {
    const o = {};
    for (let p = Object.getPrototypeOf(e); p && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const [k, d] of Object.entries(Object.getOwnPropertyDescriptors(p))) if (d.get && !(k in o)) { const v = e[k]; o[k] = v && typeof v === 'object' && v.nodeType ? undefined : v; }
    return o;
  };
  for (const C of Object.getOwnPropertyNames(G)) if (/^(Performance\w+|LargestContentfulPaint|LayoutShift)$/.test(C) && G[C].prototype && Object.hasOwn(G[C].prototype, 'toJSON')) hide(G[C].prototype, 'toJSON', function toJSON() { return plain(this); });
  // It is told some time after a frame was painted that it was shown, and told
  // here when it is known for certain.
  const sure = 200, shown = e => deck.age && paints.some(C => G[C] && e instanceof G[C]) ? began(e) + sure : 0, { getEntries } = G.PerformanceObserverEntryList ? PerformanceObserverEntryList.prototype : {};
  const wait = G.setTimeout.bind(G);
  // Nothing takes long: how long tasks and events take is the machine's.
  for (const C of ['Performance', 'PerformanceObserverEntryList']) for (const k of ['getEntries', 'getEntriesByType', 'getEntriesByName']) attempt(() => {
    const real = G[C].prototype[k];
    hide(G[C].prototype, k, { [k](...args) { return real.apply(this, args).filter(e => !slow.test(type.call(e)) && shown(e) <= now()); } }[k]);
  });
  if (G.PerformanceObserver) attempt(() => {
    G.PerformanceObserver = new Proxy(PerformanceObserver, { construct: (t, [told, ...rest], as) => Reflect.construct(t, typeof told !== 'function' ? [told] : [function (list, ...more) {
      const ms = Math.max(0, ...getEntries.call(list).map(shown)) - now(), tell = () => { if (list.getEntries().length > 0) told.call(this, list, ...more); };
      if (ms > 0) wait(tell, ms); else tell();
    }, ...rest], as) });
    hide(PerformanceObserver.prototype, 'constructor', G.PerformanceObserver);
  });
  const P = Performance.prototype, { mark, measure } = P;
  if (mark) hide(P, 'mark', { mark(name, options) { return arguments.length ? mark.call(this, name, { ...options, startTime: options && options.startTime !== undefined ? options.startTime : now() }) : mark.call(this); } }.mark);
  // A time, or the name of a mark or of something of the document's beginning.
  const time = t => {
    const timing = G.performance.timing;
    return typeof t !== 'number' && timing && typeof timing[t] === 'number' && performance.getEntriesByName(t, 'mark').length === 0 ? Math.max(0, timing[t] - timing.navigationStart) : t;
  };
  if (measure) hide(P, 'measure', { measure(name, from, to) {
    if (arguments.length === 0) return measure.call(this);
    const o = from && typeof from === 'object' ? { ...from } : { ...(from !== undefined && from !== null && { start: from }), ...(to !== undefined && { end: to }) };
    if (o.start !== undefined) o.start = time(o.start);
    if (o.end !== undefined) o.end = time(o.end);
    else if (o.start === undefined || o.duration === undefined) o.end = now();
    if (o.start === undefined && o.duration === undefined) o.start = 0;
    return measure.call(this, name, o);
  } }.measure);
  if (G.PerformanceTiming) attempt(() => {
    const zero = getter('PerformanceTiming', 'navigationStart'), origin = Math.floor(performance.timeOrigin);
    const names = Object.entries(Object.getOwnPropertyDescriptors(PerformanceTiming.prototype)).filter(([, d]) => d.get).map(([k]) => k);
    put('PerformanceTiming', names.join(' '), (raw, t) => raw === 0 ? 0 : Math.floor(origin + (deck.age ? deck.age(raw - zero.call(t)) : 0)));
  });
})();
