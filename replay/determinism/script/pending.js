// What a page does outside of its own thread takes an uncertain time: digests,
// pictures, databases, files. The driver is told where that begins and ends,
// and lets no time pass between.
(function () {
  const G = globalThis, deck = G.__tracedeck, bound = G.__tracedeckTell, tell = bound || (() => {}), isWindow = typeof document !== 'undefined';
  delete G.__tracedeckTell;
  if (!deck || deck.open || CONFIG.regime !== 'frames' && CONFIG.regime !== 'timers') return;
  const attempt = f => { try { return f(); } catch { return undefined; } };

  // Some turns of the event loop: behind the messages that are on their way, the
  // timers that are due, and what comes of both.
  const channel = new MessageChannel(), waking = [], post = channel.port2.postMessage.bind(channel.port2), later = G.setTimeout.bind(G);
  channel.port1.onmessage = () => waking.shift()();
  deck.turn = (done, turns = 6) => { waking.push(() => { if (turns > 0) later(() => deck.turn(done, turns - 1)); else done(); }); post(0); };

  // The driver is told that all that has been dealt with, or at once that the page
  // is at this task.
  if (bound) deck.reach = (n, soon) => { if (soon) tell('#' + n); else deck.turn(() => tell('#' + n)); };

  deck.next = () => { later(() => {}, 1); };

  // The clock is halted where something is to begin: the driver does that while a
  // debugger holds the script, once for each moment, since nothing is left of a
  // moment when time passes again.
  const clock = performance.now.bind(performance);
  let since = -1, leaving = false;
  const halt = () => { const now = clock(); if (now !== since && isWindow && !leaving) { since = now; debugger; } };
  // What needs the network is told apart: answers wait for all other work.
  const kinds = [{ open: new Map(), begins: '+', ends: '-' }, { open: new Map(), begins: '<', ends: '>' }];
  let last = 0, order = Promise.resolve(), waiting = new Set();
  deck.open = () => kinds[0].open.size + kinds[1].open.size;
  deck.waits = () => [...new Set(kinds.flatMap(k => [...k.open.values()]))].join(', ');
  deck.forget = () => { // what does not come to an end
    for (const k of kinds) k.open = new Map();
    order = Promise.resolve();
    for (const go of [...waiting]) go();
  };
  const begin = (what, kind = kinds[0]) => {
    const id = ++last, among = kind.open;
    among.set(id, what);
    if (among.size === 1) tell(kind.begins);
    return () => { if (among.delete(id) && among.size === 0 && among === kind.open) tell(kind.ends); };
  };
  const sent = () => tell('~');
  const then = Promise.prototype.then, listen = EventTarget.prototype.addEventListener;
  // Of works that are begun at one time it is chance which is done first: what
  // comes of them is told in the order in which they were begun, and after what
  // is told by events.
  const events = new Set();
  const settle = () => { if (events.size === 0) for (const go of [...waiting]) go(); };
  const quiet = go => { const now = () => { waiting.delete(now); go(); }; if (events.size === 0) go(); else waiting.add(now); };
  const free = go => isWindow ? deck.turn(go, 0) : go();
  const during = (p, what) => {
    if (!(p instanceof Promise)) return p;
    const end = begin(what), before = order;
    let done;
    order = new Promise(yes => { done = yes; });
    return new Promise((yes, no) => {
      const tell = give => value => then.call(before, () => quiet(() => free(() => { end(); give(value); done(); })));
      then.call(p, tell(yes), tell(no));
    });
  };
  const loading = (p, what) => { if (p instanceof Promise) { const end = begin(what, kinds[1]); then.call(p, end, end); } return p; };
  const eventful = what => { const end = begin(what), token = {}; events.add(token); return () => { end(); if (events.delete(token)) settle(); }; };
  const until = (target, what, ...kinds) => { const end = eventful(what); for (const e of kinds) listen.call(target, e, end); return target; };
  const wrap = (owner, name, make, when) => attempt(() => {
    const o = typeof owner === 'string' ? G[owner] && G[owner].prototype : owner, real = o && o[name];
    if (typeof real === 'function') hide(o, name, { [name](...args) {
      if (when && !when.call(this, args)) return real.apply(this, args);
      halt();
      return make(real, this === undefined ? G : this, args);
    } }[name]);
  });
  const promising = {
    SubtleCrypto: 'encrypt decrypt sign verify digest generateKey deriveKey deriveBits importKey exportKey wrapKey unwrapKey',
    CacheStorage: 'open match has delete keys', Cache: 'match matchAll delete keys',
    StorageManager: 'estimate persisted persist getDirectory', Permissions: 'query', Clipboard: 'read readText write writeText', NavigatorUAData: 'getHighEntropyValues', MediaDevices: 'enumerateDevices getUserMedia getDisplayMedia',
    MediaCapabilities: 'decodingInfo encodingInfo', Keyboard: 'getLayoutMap', Navigator: 'getBattery requestMediaKeySystemAccess requestMIDIAccess', ServiceWorkerContainer: 'getRegistration getRegistrations', GPU: 'requestAdapter', GPUAdapter: 'requestDevice',
    CSSStyleSheet: 'replace', FileSystemHandle: 'isSameEntry queryPermission remove move', Blob: 'text arrayBuffer bytes',
    OfflineAudioContext: 'startRendering', BaseAudioContext: 'decodeAudioData', OffscreenCanvas: 'convertToBlob', LockManager: 'query',
    FileSystemFileHandle: 'getFile createWritable createSyncAccessHandle', FileSystemDirectoryHandle: 'getFileHandle getDirectoryHandle removeEntry resolve',
    FileSystemWritableFileStream: 'write close', CookieStore: 'get getAll set delete', ImageDecoder: 'decode',
    VideoEncoder: 'flush', VideoDecoder: 'flush', AudioEncoder: 'flush', AudioDecoder: 'flush', WakeLock: 'request', ScreenOrientation: 'lock', Element: 'requestPointerLock', Document: 'hasStorageAccess requestStorageAccess',
    Bluetooth: 'getAvailability', USB: 'getDevices', HID: 'getDevices', Serial: 'getPorts', XRSystem: 'isSessionSupported', PaymentRequest: 'canMakePayment',
  };
  const loaders = { HTMLImageElement: 'decode', SVGImageElement: 'decode', FontFaceSet: 'load', FontFace: 'load', Cache: 'add addAll put', IDBFactory: 'databases' };
  for (const [owner, names] of Object.entries(loaders)) for (const name of names.split(' ')) wrap(owner, name, (real, self, args) => loading(real.apply(self, args), name));
  for (const [owner, names] of Object.entries(promising)) for (const name of names.split(' ')) wrap(owner, name, (real, self, args) => during(real.apply(self, args), name));
  for (const name of ['VideoEncoder', 'VideoDecoder', 'AudioEncoder', 'AudioDecoder']) if (G[name]) wrap(G[name], 'isConfigSupported', (real, self, args) => during(real.apply(self, args), 'isConfigSupported'));
  wrap(G, 'createImageBitmap', (real, self, args) => during(real.apply(G, args), 'createImageBitmap'));
  if (G.WebAssembly) for (const [name, way] of [['compile', during], ['instantiate', during], ['compileStreaming', loading], ['instantiateStreaming', loading]]) wrap(WebAssembly, name, (real, self, args) => way(real.apply(WebAssembly, args), name));
  for (const name of ['keys', 'values', 'entries', Symbol.asyncIterator]) wrap('FileSystemDirectoryHandle', name, (real, self, args) => {
    const list = real.apply(self, args), next = list.next;
    hide(list, 'next', () => during(next.call(list), 'a folder'));
    return list;
  });
  // When a file was written is told by the real clock.
  const written = new Map(), dated = self => { written.set(self.name, Date.now()); };
  const wroteAt = self => written.get(self.name) || Math.floor(performance.timeOrigin);
  for (const name of ['createWritable', 'createSyncAccessHandle']) { const real = G.FileSystemFileHandle && FileSystemFileHandle.prototype[name]; if (real) hide(FileSystemFileHandle.prototype, name, { [name]() { dated(this); return real.apply(this, arguments); } }[name]); }
  const getFile = G.FileSystemFileHandle && FileSystemFileHandle.prototype.getFile, fileAge = G.File && attempt(() => Object.getOwnPropertyDescriptor(File.prototype, 'lastModified').get), stored = new WeakMap();
  if (getFile && fileAge) {
    hide(FileSystemFileHandle.prototype, 'getFile', { getFile() { const p = getFile.call(this); return then.call(p, f => { stored.set(f, wroteAt(this)); return f; }); } }.getFile);
    Object.defineProperty(File.prototype, 'lastModified', { get() { const at = fileAge.call(this); return stored.has(this) ? stored.get(this) : at; }, configurable: true, enumerable: true });
  }
  if (G.Notification) wrap(Notification, 'requestPermission', (real, self, args) => during(real.apply(self, args), 'requestPermission'));
  wrap('Geolocation', 'getCurrentPosition', (real, self, [yes, no, ...rest]) => {
    const end = eventful('getCurrentPosition'), heard = f => typeof f === 'function' ? v => { end(); f(v); } : f === undefined || f === null ? end : f;
    return real.call(self, heard(yes), heard(no), ...rest);
  });
  for (const name of ['open', 'deleteDatabase']) wrap('IDBFactory', name, (real, self, args) => until(real.apply(self, args), name, 'success', 'error', 'blocked'));
  wrap('IDBDatabase', 'transaction', (real, self, args) => until(real.apply(self, args), 'a transaction', 'complete', 'abort'));
  for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString']) wrap('FileReader', name, (real, self, args) => { real.apply(self, args); until(self, name, 'loadend'); });
  // Who has a lock next is told by the browser, in the order of what it is asked:
  // what is asked last is answered last. So are the messages of channels.
  const locks = G.navigator.locks, request = locks && locks.request;
  const allTold = () => { sent(); attempt(() => { const end = eventful('a lock'); then.call(request.call(locks, `tracedeck ${++last}`, () => {}), end, end); }); };
  wrap('LockManager', 'request', (real, self, args) => {
    const does = args[args.length - 1];
    if (typeof does === 'function') args[args.length - 1] = async lock => { try { return await does(lock); } finally { halt(); } }; // it is let go
    const held = real.apply(self, args);
    allTold();
    if (held instanceof Promise) then.call(held, allTold, allTold);
    return held;
  });
  let pair;
  const echoes = [], say = G.BroadcastChannel && BroadcastChannel.prototype.postMessage;
  const allHeard = () => attempt(() => {
    if (!pair) {
      const name = `tracedeck ${G.crypto && crypto.randomUUID ? crypto.randomUUID() : Math.random()}`;
      pair = [new BroadcastChannel(name), new BroadcastChannel(name)];
      pair[1].onmessage = () => echoes.shift()();
    }
    say.call(pair[0], 0);
    echoes.push(eventful('a message'));
  });
  wrap('BroadcastChannel', 'postMessage', (real, self, args) => {
    if (!isWindow && deck.post) return deck.post(args[0], undefined, message => real.call(self, message));
    const r = real.apply(self, args);
    sent();
    allHeard();
    return r;
  });
  // These go by way of the browser to come to other pages.
  for (const name of ['setItem', 'removeItem', 'clear']) wrap('Storage', name, (real, self, args) => { const r = real.apply(self, args); sent(); return r; });
  for (const name of ['AudioContext', 'RTCPeerConnection', 'WebTransport']) if (G[name]) attempt(() => hide(G, name, new Proxy(G[name], { construct: (t, args, as) => { tell(name); return Reflect.construct(t, args, as); } })));
  if (G.SharedWorker) attempt(() => { G.SharedWorker = new Proxy(SharedWorker, { construct: (t, args, as) => {
    const name = Object(args[1]).name || (typeof args[1] === 'string' ? args[1] : '');
    tell(`S${attempt(() => new URL(args[0], document.baseURI))} ${name}`);
    halt();
    const w = Reflect.construct(t, args, as), { port } = w, post = port.postMessage;
    hide(port, 'postMessage', { postMessage() { const r = post.apply(port, arguments); tell('s'); return r; } }.postMessage);
    listen.call(port, 'message', () => tell('r'));
    sent();
    return w;
  } }); });
  if (!isWindow) return;
  // Media of other addresses do not load.
  wrap('HTMLMediaElement', 'play', (real, self, args) => { tell('media in its document'); return real.apply(self, args); }, function () { return /^(data|blob):/.test(this.src); });
  // Where there is an address of a file, it is about to be read.
  wrap(G.URL, 'createObjectURL', (real, self, args) => real.apply(self, args));
  const isBlob = what => /^blob:/.test(what && what.url || what);
  wrap(G, 'fetch', (real, self, args) => real.apply(self, args), args => isBlob(args[0]));
  wrap('XMLHttpRequest', 'open', (real, self, args) => real.apply(self, args), args => isBlob(args[1]));
  deck.making = () => { tell('w'); halt(); };
  deck.made = worker => { if (worker) listen.call(worker, 'error', () => tell('v'), { once: true }); else tell('v'); };
  listen.call(G, 'pagehide', () => { leaving = true; }, true);
  listen.call(G, 'pageshow', () => { leaving = false; }, true);
  // After a page has gone back to another document by itself the clock would
  // stand still for good: the driver goes for it.
  for (const [name, way] of [['back', -1], ['forward', 1], ['go', 0]]) wrap('History', name, (real, self, args) => {
    const by = way || Math.trunc(+args[0]) || 0;
    if (by === 0) return real.apply(self, args); // it loads again
    tell('h' + by);
  });
  // The browser writes pictures of canvases when it has nothing else to do.
  wrap('HTMLCanvasElement', 'toBlob', (real, self, [done, kind, quality]) => {
    if (typeof done !== 'function') return real.call(self, done, kind, quality);
    const url = self.toDataURL(kind, quality), comma = url.indexOf(',');
    const text = atob(url.slice(comma + 1)), bytes = Uint8Array.from(text, c => c.charCodeAt(0));
    const blob = bytes.length ? new Blob([bytes], { type: url.slice(5, url.indexOf(';')) }) : null;
    const end = begin('toBlob');
    deck.turn(() => { end(); done(blob); }, 0);
  });
  // What waits until there is nothing else to do is done before time passes.
  const background = o => Object(o).priority === 'background' || Object(Object(o).signal).priority === 'background' && !Object(o).priority;
  wrap('Scheduler', 'postTask', (real, self, [does, options, ...rest]) => {
    if (typeof does !== 'function') return real.call(self, does, options, ...rest);
    const end = begin('a task'), p = real.call(self, () => { end(); return does(); }, options, ...rest);
    then.call(p, end, end);
    return p;
  }, ([, options]) => background(options) && !(options.delay > 0));
  // A document that is to be isolated has a process of its own, whose clock runs
  // until the driver stops it.
  if (G === G.top) { tell('d'); debugger; }
  // A moved mouse is heard with the next frame; this event tells that it has come.
  listen.call(G, 'pointerrawupdate', () => tell('m'), { capture: true, passive: true });
})();
