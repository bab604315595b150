// A clock that the driver moves, for realms whose timers the browser does not
// stop: workers, and pages where virtual time is not to be had.
const hide = (o, k, v) => Object.defineProperty(o, k, { value: v, writable: true, configurable: true, enumerable: Object.prototype.propertyIsEnumerable.call(o, k) });

// dateOf makes a Date whose present is now().
const dateOf = (Real, now) => {
  const present = () => Math.floor(now());
  const made = new Proxy(Real, {
    construct: (t, args, as) => Reflect.construct(t, args.length ? args : [present()], as === made ? t : as),
    apply: () => new Real(present()).toString(),
    get: (t, k) => k === 'now' ? nowOf : Reflect.get(t, k),
  });
  const nowOf = function now() { return present(); };
  hide(Real.prototype, 'constructor', made);
  return made;
};

const installClock = (G, epoch, start) => {
  let now = start, order = 0, last = 0, ticking = false;
  const born = start, timers = new Map(), isWindow = typeof document !== 'undefined', realTimeout = G.setTimeout.bind(G);
  // A turn of the real event loop, so that promises and native callbacks get
  // theirs. Real timers would take 4 ms each once they are nested.
  const channel = new MessageChannel(), waking = [], wake = channel.port2.postMessage.bind(channel.port2);
  channel.port1.onmessage = () => waking.shift()();
  const turn = () => new Promise(done => { waking.push(done); wake(0); });
  // A script that reads the clock until it has moved would wait for ever: it is
  // moved for it.
  const most = 100000;
  let reads = 0;
  const read = () => { if (++reads > most && reads % 50 === 0) now++; return now; };
  const add = (what, ms, args, every) => {
    const wait = Math.min(2147483647, Math.max(0, +ms || 0));
    timers.set(++last, { what, args, at: now + Math.max(every ? 1 : 0, wait), order: ++order, every: every ? Math.max(1, wait) : 0 });
    return last;
  };
  const drop = id => { timers.delete(id); };
  const source = f => typeof f === 'function' ? f : () => (0, eval)(String(f));
  hide(G, 'setTimeout', function setTimeout(f, ms, ...args) { return add(source(f), ms, args, false); });
  hide(G, 'setInterval', function setInterval(f, ms, ...args) { return add(source(f), ms, args, true); });
  hide(G, 'clearTimeout', function clearTimeout(id) { drop(id); });
  hide(G, 'clearInterval', function clearInterval(id) { drop(id); });
  if (G.requestAnimationFrame) {
    hide(G, 'requestAnimationFrame', function requestAnimationFrame(f) { const at = Math.floor(now / 16) * 16 + 16; return add(() => f(age()), at - now, [], false); });
    hide(G, 'cancelAnimationFrame', function cancelAnimationFrame(id) { drop(id); });
  }
  if (G.requestIdleCallback) {
    hide(G, 'requestIdleCallback', function requestIdleCallback(f) { return add(() => f({ didTimeout: false, timeRemaining: () => 10 }), 1, [], false); });
    hide(G, 'cancelIdleCallback', function cancelIdleCallback(id) { drop(id); });
  }
  G.Date = dateOf(G.Date, () => epoch + read());
  const age = () => Math.round((now - born) * 10) / 10; // no digit is left to rounding
  hide(Performance.prototype, 'now', function () { read(); return age(); });
  Object.defineProperty(Performance.prototype, 'timeOrigin', { get: () => epoch + born, configurable: true });
  const heard = new WeakMap();
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { if (!heard.has(this)) heard.set(this, age()); return heard.get(this); }, configurable: true });
  if (isWindow) try { Object.defineProperty(AnimationTimeline.prototype, 'currentTime', { get: age, configurable: true }); } catch { /* there is none */ }
  // What comes from outside waits for the driver's next step, and what is said
  // is told when all workers have done theirs: page and workers take turns. It is
  // copied when it is said.
  const inbox = [], outbox = [], copy = G.structuredClone && G.structuredClone.bind(G);
  let opening = false;
  const say = (message, transfer, send) => {
    const list = transfer && !Array.isArray(transfer) && transfer[Symbol.iterator] === undefined ? transfer.transfer : transfer;
    const moved = list ? [...list] : [], copied = copy({ message, moved }, { transfer: moved });
    outbox.push(() => send(copied.message, copied.moved));
  };
  if (!isWindow) {
    G.addEventListener('message', e => { if (opening) return; e.stopImmediatePropagation(); inbox.push(e); }, true);
    for (const owner of [G, G.MessagePort && MessagePort.prototype, G.Worker && Worker.prototype]) {
      const post = owner && owner.postMessage;
      if (post) hide(owner, 'postMessage', function postMessage(message, transfer) { say(message, transfer, (m, list) => { if (ports.has(this)) count.gone++; post.call(this === undefined ? G : this, m, list); }); });
    }
  }
  // How many messages have come by the ports that a shared worker was given, and
  // gone: the driver waits for those that are on their way.
  const ports = new WeakSet(), count = { come: 0, gone: 0 };
  if ('onconnect' in G) G.addEventListener('connect', e => { ports.add(e.ports[0]); e.ports[0].addEventListener('message', () => { count.come++; }); }, true);
  const next = to => {
    let best, key;
    for (const [k, t] of timers) if (t.at <= to && (!best || t.at < best.at || t.at === best.at && t.order < best.order)) { best = t; key = k; }
    return [best, key];
  };
  const run = t => { reads = 0; try { t.what(...t.args); } catch (e) { if (G.reportError) G.reportError(e); } };
  // What this realm does outside of its own thread is waited for, and what was
  // sent to it is heard first.
  const still = async () => {
    await turn();
    for (let i = 0; G.__tracedeck.open && G.__tracedeck.open() && i < 3000; i++) await (i < 200 ? turn() : new Promise(done => realTimeout(done, 1)));
  };
  let fresh = 5; // what was said to it before it began is on its way
  const tick = async to => {
    reads = 0;
    for (; fresh > 0; fresh--) await turn();
    await still();
    for (const m of inbox.splice(0)) {
      opening = true;
      G.dispatchEvent(new MessageEvent('message', { data: m.data, ports: [...m.ports], origin: m.origin }));
      opening = false;
      await turn();
    }
    for (let [t, key] = next(to); t; [t, key] = next(to)) {
      now = Math.max(now, t.at);
      if (t.every) { t.at = now + t.every; t.order = ++order; } else timers.delete(key);
      run(t);
      await turn();
    }
    now = Math.max(now, to);
    await still();
    return outbox.length;
  };
  const flush = n => { for (const send of outbox.splice(0, n)) try { send(); } catch (e) { if (G.reportError) G.reportError(e); } };
  return { tick, flush, post: say, realTimeout, count };
};
