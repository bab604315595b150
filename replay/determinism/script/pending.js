// What a page does outside of its own thread takes an uncertain time: digests,
// pictures, databases, files. The driver is told where that begins and ends,
// and lets no time pass between.
(function () {
  const G = globalThis, deck = G.__tracedeck, tell = G.__tracedeckTell || (() => {}), isWindow = typeof document !== 'undefined';
  delete G.__tracedeckTell;
  if (!deck || deck.open || CONFIG.regime !== 'frames' && CONFIG.regime !== 'timers') return;
  const attempt = f => { try { return f(); } catch { return undefined; } };

  // Some turns of the event loop: behind the messages that are on their way, the
  // timers that are due, and what comes of both.
  const channel = new MessageChannel(), waking = [], post = channel.port2.postMessage.bind(channel.port2), later = G.setTimeout.bind(G);
  channel.port1.onmessage = () => waking.shift()();
  deck.turn = (done, turns = 6) => { waking.push(() => { if (turns > 0) later(() => deck.turn(done, turns - 1)); else done(); }); post(0); };

  let open = 0;
  deck.open = () => open;
  const begin = () => {
    let over = false;
    if (open++ === 0) tell('+');
    return () => { if (over) return; over = true; if (--open === 0) tell('-'); };
  };
  const then = Promise.prototype.then, listen = EventTarget.prototype.addEventListener;
  const during = p => { if (p instanceof Promise) { const end = begin(); then.call(p, end, end); } return p; };
  const until = (target, ...events) => { const end = begin(); for (const e of events) listen.call(target, e, end); return target; };
  const wrap = (owner, name, make) => attempt(() => {
    const o = typeof owner === 'string' ? G[owner] && G[owner].prototype : owner, real = o && o[name];
    if (typeof real === 'function') hide(o, name, { [name](...args) { return make(real, this === undefined ? G : this, args); } }[name]);
  });
  const promising = {
    SubtleCrypto: 'encrypt decrypt sign verify digest generateKey deriveKey deriveBits importKey exportKey wrapKey unwrapKey',
    HTMLImageElement: 'decode', SVGImageElement: 'decode', FontFaceSet: 'load', FontFace: 'load', CacheStorage: 'open match has delete keys', Cache: 'match matchAll add addAll put delete keys',
    StorageManager: 'estimate persisted getDirectory', Permissions: 'query', Clipboard: 'write writeText', Blob: 'text arrayBuffer bytes',
    OfflineAudioContext: 'startRendering', BaseAudioContext: 'decodeAudioData', OffscreenCanvas: 'convertToBlob', IDBFactory: 'databases', LockManager: 'query',
    FileSystemFileHandle: 'getFile createWritable createSyncAccessHandle', FileSystemDirectoryHandle: 'getFileHandle getDirectoryHandle removeEntry',
    FileSystemWritableFileStream: 'write close', CookieStore: 'get getAll set delete', ImageDecoder: 'decode',
  };
  for (const [owner, names] of Object.entries(promising)) for (const name of names.split(' ')) wrap(owner, name, (real, self, args) => during(real.apply(self, args)));
  wrap(G, 'createImageBitmap', (real, self, args) => during(real.apply(G, args)));
  if (G.WebAssembly) for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) wrap(WebAssembly, name, (real, self, args) => during(real.apply(WebAssembly, args)));
  for (const name of ['open', 'deleteDatabase']) wrap('IDBFactory', name, (real, self, args) => until(real.apply(self, args), 'success', 'error', 'blocked'));
  wrap('IDBDatabase', 'transaction', (real, self, args) => until(real.apply(self, args), 'complete', 'abort'));
  for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString']) wrap('FileReader', name, (real, self, args) => { real.apply(self, args); until(self, 'loadend'); });
  wrap('LockManager', 'request', (real, self, args) => { // who has it next is told by the browser
    const held = real.apply(self, args), told = () => tell('~');
    told();
    then.call(held, told, told);
    return held;
  });
  // These go by way of the browser to come to other pages, or back to this one.
  for (const [owner, names] of [['BroadcastChannel', ['postMessage']], ['Storage', ['setItem', 'removeItem', 'clear']]])
    for (const name of names) wrap(owner, name, (real, self, args) => { const r = real.apply(self, args); tell('~'); return r; });
  if (!isWindow) return;
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
    deck.turn(() => done(blob), 0);
  });
  // A moved mouse is heard with the next frame; this event tells that it has come.
  listen.call(G, 'pointerrawupdate', () => tell('m'), { capture: true, passive: true });
})();
