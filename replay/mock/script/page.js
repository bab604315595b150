// Plays recorded web sockets, event streams and streamed bodies on the page's
// own timers, so that they follow whatever clock the page has.
((config) => {
  "use strict";
  const world = globalThis, mark = Symbol.for("tracedeck.mock");
  if (world[mark]) return;
  const later = world.setTimeout.bind(world), clock = world.performance, now = () => clock.now();
  const NativeSocket = world.WebSocket, NativeEvents = world.EventSource, nativeFetch = world.fetch, NativeResponse = world.Response, NativeHeaders = world.Headers;
  const reports = [], open = new Set(), teller = world[config.teller];
  delete world[config.teller];
  const tell = (m) => {
    if (typeof teller !== "function") return false;
    try { teller(JSON.stringify(m)); return true; } catch { return false; }
  };
  const state = {
    take() { return reports.splice(0); },
    // used tells what other documents and workers have played.
    used(ids) { for (const c of [...sockets, ...streams]) if (ids.includes(c.id) && !c.used) c.used = c.again = true; },
    // drain closes sockets of which the recording does not say when they were
    // closed, once all that it holds of them was played.
    drain() { let n = 0; for (const s of [...open]) if (s[drain]()) n++; return n; },
  }, drain = Symbol();
  Object.defineProperty(world, mark, { value: state });
  const report = (code, method, url, reason) => {
    const m = { code, method, url, type: method === "GET" ? "EventSource" : "WebSocket", reason };
    if (!tell(m) && reports.length < 1000) reports.push(m);
  };

  const origin = (u) => (u.protocol === "ws:" ? "http:" : u.protocol === "wss:" ? "https:" : u.protocol) + "//" + u.host;
  const policy = (u) => config.policies[origin(u)] ?? config.policies[config.then[origin(u)]] ?? config.mode;
  const allowed = (u) => config.allowed.some((p) => p === "*" || p === origin(u) || p.includes("://*.") && origin(u).startsWith(p.split("://*.")[0] + "://") && origin(u).endsWith("." + p.split("://*.")[1]));
  const ignored = (name) => config.ignore.some((p) => p.endsWith("*") ? name.toLowerCase().startsWith(p.slice(0, -1).toLowerCase()) : name.toLowerCase() === p.toLowerCase());
  // keys name what is looked for, first as it is and then more loosely.
  const keys = (raw, mapped) => {
    const u = new URL(raw), from = mapped ? config.then[origin(u)] ?? origin(u) : origin(u), path = u.pathname.replace(/\/+$/, "") || "/";
    const query = (keep) => JSON.stringify([...u.searchParams].filter(([n]) => keep(n)).sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    return [from + path + "?" + query(() => true), from + path + "?" + query((n) => !ignored(n)), from + path,
      // Servers beside an app that has moved to another port have moved as well.
      config.moved && /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(u.hostname) ? u.protocol + u.hostname + path : undefined];
  };
  const queue = (list, kind) => list.map((c, i) => ({ ...c, id: kind + i, keys: keys(c.url, false), used: false, again: false }));
  const sockets = queue(config.sockets, "s"), streams = queue(config.streams, "e");
  const find = (list, url) => {
    const wanted = keys(url, true);
    for (const free of [(c) => !c.used, (c) => c.again]) {
      for (let i = 0; i < wanted.length; i++) {
        const c = wanted[i] && list.find((x) => free(x) && x.keys[i] === wanted[i]);
        if (c) return c;
      }
    }
    return undefined;
  };
  const take = (list, url) => {
    const c = find(list, url);
    if (c) { if (!c.used) tell({ used: c.id }); c.used = true; c.again = false; }
    return c;
  };

  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const handlers = (proto, names) => {
    for (const name of names) {
      const key = Symbol(name);
      Object.defineProperty(proto, "on" + name, { configurable: true, enumerable: true,
        get() { return this[key]?.current ?? null; },
        set(f) {
          const slot = this[key] ??= { current: null };
          if (!slot.current) this.addEventListener(name, slot.listener = function (e) { return slot.current?.call(this, e); });
          slot.current = typeof f === "function" ? f : null;
          if (!slot.current) { this.removeEventListener(name, slot.listener); }
        } });
    }
  };
  const constants = (C, names) => names.forEach((name, i) => { for (const o of [C, C.prototype]) Object.defineProperty(o, name, { value: i, enumerable: true }); });

  const grace = 5000; // ms that a message of the page is waited for after its time

  class MockSocket extends EventTarget {
    #url; #c; #state = 0; #protocol = ""; #at = 0; #sends = []; #outs = 0; #anchor = { real: 0, recorded: 0 }; #base = now(); #type = "blob"; #due = 0;
    constructor(url, protocols) {
      super();
      this.#url = url.href;
      this.#c = policy(url) === "mock" ? take(sockets, url.href) : undefined;
      if (!this.#c) {
        const mocked = policy(url) === "mock";
        report(mocked ? config.miss : "W_EGRESS_BLOCKED", "WEBSOCKET", url.href, mocked ? "the recording holds no web socket of this address that was not played yet" : "its origin is blocked or was not recorded");
        later(() => this.#end(1006, "", true), 0);
        return;
      }
      const wanted = protocols === undefined ? [] : [protocols].flat();
      this.#protocol = wanted.includes(this.#c.protocol) ? this.#c.protocol : "";
      if (this.#c.open < 0) { later(() => this.#end(1006, "", true), Math.max(0, this.#c.end)); return; }
      later(() => this.#opened(), this.#c.open);
    }
    get url() { return this.#url; }
    get readyState() { return this.#state; }
    get protocol() { return this.#state === 0 ? "" : this.#protocol; }
    get extensions() { return ""; }
    get bufferedAmount() { return 0; }
    get binaryType() { return this.#type; }
    set binaryType(t) { if (t === "blob" || t === "arraybuffer") this.#type = t; }
    send(data) {
      if (this.#state === 0) throw new DOMException("Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.", "InvalidStateError");
      if (this.#state !== 1) return;
      this.#sends.push(now());
      if (this.#outs > this.#recordedOuts()) return;
      this.#go();
    }
    close(code, reason = "") {
      if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) throw new DOMException(`Failed to execute 'close' on 'WebSocket': The close code must be either 1000, or between 3000 and 4999. ${code} is neither.`, "InvalidAccessError");
      if (this.#state >= 2) return;
      const early = this.#state === 0;
      this.#state = 2;
      if (this.#c && this.#at < this.#c.messages.length) this.#c.again = true;
      later(() => this.#end(early ? 1006 : code ?? 1005, early ? "" : String(reason), early), 0);
    }
    #recordedOuts() { return this.#c.messages.reduce((n, m) => n + (m.sent ? 1 : 0), 0); }
    #opened() {
      if (this.#state !== 0) return;
      this.#state = 1;
      open.add(this);
      this.#anchor = { real: now(), recorded: this.#c.open };
      this.dispatchEvent(new Event("open"));
      this.#go();
    }
    // go plays the messages whose turn it is. One that the recording shows
    // after a message of the page waits for that.
    #go() {
      for (; this.#state === 1; this.#at++) {
        const m = this.#c.messages[this.#at];
        if (!m) { this.#finish(); return; }
        const due = Math.max(0, this.#anchor.real + m.at - this.#anchor.recorded - now());
        if (!m.sent) { this.#wait(due, () => { this.#deliver(m); this.#at++; this.#go(); }); return; }
        if (this.#sends.length > this.#outs) this.#anchor = { real: Math.max(this.#sends[this.#outs], this.#anchor.real), recorded: m.at };
        else {
          const n = this.#outs;
          this.#wait(due + grace, () => {
            if (this.#sends.length <= n) { report("W_SOCKET_DIVERGED", "WEBSOCKET", this.#url, "the page did not send message " + (n + 1) + " of the recording"); this.#outs++; this.#at++; }
            this.#go();
          });
          return;
        }
        this.#outs++;
      }
    }
    // wait replaces what was waited for before.
    #wait(ms, then) { const turn = ++this.#due; later(() => { if (turn === this.#due && this.#state === 1) then(); }, ms); }
    #deliver(m) {
      let data = m.data;
      if (m.binary) { const b = bytes(m.data); data = this.#type === "arraybuffer" ? b.buffer : new Blob([b]); }
      this.dispatchEvent(new MessageEvent("message", { data, origin: new URL(this.#url).origin }));
    }
    #finish() {
      if (this.#c.end < 0) return;
      const sent = this.#c.messages.filter((m) => m.sent).length, last = this.#anchor;
      if (this.#sends.length > sent) report("W_SOCKET_DIVERGED", "WEBSOCKET", this.#url, "the page sent " + this.#sends.length + " messages, in the recording " + sent);
      this.#wait(Math.max(0, last.real + this.#c.end - last.recorded - now()), () => this.#end(this.#c.code || 1000, this.#c.reason || "", !!this.#c.failed));
    }
    [drain]() {
      if (this.#state !== 1 || !this.#c.loose || this.#at < this.#c.messages.length) return false;
      this.#end(1000, "", false);
      return true;
    }
    #end(code, reason, failed) {
      if (this.#state === 3) return;
      this.#state = 3;
      open.delete(this);
      if (failed) this.dispatchEvent(new Event("error"));
      this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean: !failed && code !== 1006 }));
    }
  }
  constants(MockSocket, ["CONNECTING", "OPEN", "CLOSING", "CLOSED"]);
  handlers(MockSocket.prototype, ["open", "message", "error", "close"]);
  Object.defineProperty(MockSocket, "name", { value: "WebSocket" });
  Object.defineProperty(MockSocket.prototype, Symbol.toStringTag, { value: "WebSocket", configurable: true });

  const here = () => world.document?.baseURI ?? world.location.href;
  if (NativeSocket) {
    const make = new Proxy(MockSocket, {
      construct(_, args, target) {
        if (args.length === 0) throw new TypeError("Failed to construct 'WebSocket': 1 argument required, but only 0 present.");
        let u;
        try { u = new URL(String(args[0]), here()); } catch { u = null; }
        if (u && /^https?:$/.test(u.protocol)) u = new URL(u.href.replace(/^http/, "ws"));
        if (!u || !/^wss?:$/.test(u.protocol)) throw new DOMException(`Failed to construct 'WebSocket': The URL '${args[0]}' is invalid.`, "SyntaxError");
        if (policy(u) === "live" && allowed(u)) {
          const to = config.now[origin(u)];
          return Reflect.construct(NativeSocket, to ? [u.href.replace(/^(wss?):\/\/[^/]+/, to.replace(/^http/, "ws")), ...args.slice(1)] : args, target === make ? NativeSocket : target);
        }
        u.hash = "";
        return Reflect.construct(MockSocket, [u, args[1]], target === make ? MockSocket : target);
      },
    });
    Object.defineProperty(MockSocket.prototype, "constructor", { value: make, writable: true, configurable: true });
    Object.defineProperty(MockSocket, Symbol.hasInstance, { value: (o) => o instanceof EventTarget && (MockSocket.prototype.isPrototypeOf(o) || NativeSocket.prototype.isPrototypeOf(o)) });
    Object.defineProperty(world, "WebSocket", { value: make, writable: true, configurable: true });
  }

  class MockEvents extends EventTarget {
    #url; #state = 0; #credentials; #last = "";
    constructor(url, init) {
      super();
      this.#url = url; this.#credentials = !!init?.withCredentials;
      this.#connect(true);
    }
    get url() { return this.#url.href; }
    get readyState() { return this.#state; }
    get withCredentials() { return this.#credentials; }
    close() { this.#state = 2; }
    #connect(first) {
      const c = policy(this.#url) === "mock" ? take(streams, this.#url.href) : undefined;
      if (!c) {
        if (!first) return; // the recording ended before it came back
        const mocked = policy(this.#url) === "mock";
        report(mocked ? config.miss : "W_EGRESS_BLOCKED", "GET", this.#url.href, mocked ? "the recording holds no event stream of this address that was not played yet" : "its origin is blocked or was not recorded");
        later(() => this.#fail(2), 0);
        return;
      }
      if (c.open < 0) { later(() => { this.#fail(c.failed ? 0 : 2); this.#return(c); }, Math.max(0, c.end)); return; }
      const began = now();
      later(() => {
        if (this.#state === 2) { c.again = true; return; }
        this.#state = 1;
        this.dispatchEvent(new Event("open"));
        this.#play(c, 0, began);
      }, c.open);
    }
    #play(c, i, began) {
      if (this.#state !== 1) { c.again = i < c.messages.length; return; }
      const m = c.messages[i];
      const at = (ms, then) => later(then, Math.max(0, began + ms - now()));
      if (!m) {
        if (c.end >= 0) at(c.end, () => { if (this.#state === 1) { this.#fail(0); this.#return(c); } });
        return;
      }
      at(m.at, () => {
        if (this.#state === 1) {
          if (m.id) this.#last = m.id;
          this.dispatchEvent(new MessageEvent(m.event || "message", { data: m.data, lastEventId: this.#last, origin: this.#url.origin }));
        }
        this.#play(c, i + 1, began);
      });
    }
    // return connects again when the recorded page did.
    #return(c) {
      const next = find(streams, this.#url.href), pause = next && !next.used ? next.start - c.start - Math.max(0, c.end) : 3000;
      later(() => { if (this.#state === 0) this.#connect(false); }, Math.max(0, pause));
    }
    #fail(state) { if (this.#state === 2) return; this.#state = state; this.dispatchEvent(new Event("error")); }
  }
  constants(MockEvents, ["CONNECTING", "OPEN", "CLOSED"]);
  handlers(MockEvents.prototype, ["open", "message", "error"]);
  Object.defineProperty(MockEvents, "name", { value: "EventSource" });
  Object.defineProperty(MockEvents.prototype, Symbol.toStringTag, { value: "EventSource", configurable: true });
  if (NativeEvents) {
    const make = new Proxy(MockEvents, {
      construct(_, args, target) {
        if (args.length === 0) throw new TypeError("Failed to construct 'EventSource': 1 argument required, but only 0 present.");
        let u;
        try { u = new URL(String(args[0]), here()); } catch { throw new DOMException(`Failed to construct 'EventSource': Cannot open an EventSource to '${args[0]}'. The URL is invalid.`, "SyntaxError"); }
        if (policy(u) === "live") return Reflect.construct(NativeEvents, args, target === make ? NativeEvents : target);
        return Reflect.construct(MockEvents, [u, args[1]], target === make ? MockEvents : target);
      },
    });
    Object.defineProperty(MockEvents.prototype, "constructor", { value: make, writable: true, configurable: true });
    Object.defineProperty(world, "EventSource", { value: make, writable: true, configurable: true });
  }

  // While the browser reads a stream of a script's making for the page, its clock
  // may stand still, for which that stream waits: such bodies are read here.
  const streamed = new WeakSet();
  if (NativeResponse) {
    const Body = NativeResponse.prototype, define = (name, value) => Object.defineProperty(Body, name, { value, writable: true, configurable: true, enumerable: name !== "constructor" });
    const read = async (stream) => {
      const parts = [], from = stream.getReader();
      for (let next; !(next = await from.read()).done;) parts.push(next.value);
      return new Blob(parts);
    };
    for (const name of ["text", "json", "arrayBuffer", "blob", "bytes", "formData"]) {
      const real = Body[name];
      if (real) define(name, { [name]() {
        if (!streamed.has(this) || this.bodyUsed || !this.body || this.body.locked) return real.apply(this, arguments);
        return read(this.body).then((whole) => real.call(new NativeResponse(whole, { headers: this.headers })));
      } }[name]);
    }
    // settled is an answer that a function of the browser may read.
    const settled = async (source) => {
      const r = await source;
      if (!streamed.has(r) || r.bodyUsed || !r.body || r.body.locked) return r;
      return new NativeResponse(await read(r.body), { status: r.status, statusText: r.statusText, headers: r.headers });
    };
    const readers = [[world.WebAssembly, "compileStreaming", 0], [world.WebAssembly, "instantiateStreaming", 0], [world.Cache && Cache.prototype, "put", 1]];
    for (const [owner, name, at] of readers) {
      const real = owner && owner[name];
      if (!real) continue;
      const value = { [name](...args) {
        if (args.length <= at || at && !streamed.has(args[at])) return real.apply(this, args);
        return settled(args[at]).then((r) => { args[at] = r; return real.apply(this, args); });
      } }[name];
      Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true });
    }
    const clone = Body.clone;
    define("clone", { clone() { const r = clone.apply(this, arguments); if (streamed.has(this)) streamed.add(r); return r; } }.clone);
    const make = new Proxy(NativeResponse, { construct(t, args, target) {
      const r = Reflect.construct(t, args, target === make ? t : target);
      if (args[0] instanceof ReadableStream) streamed.add(r);
      return r;
    } });
    define("constructor", make);
    Object.defineProperty(world, "Response", { value: make, writable: true, configurable: true });
  }

  // Bodies that came in pieces are cut into these again.
  const header = config.header;
  // planned reads the plan of a body; end is how it ended, if not as it should.
  const planned = (plan) => {
    const list = plan.split(","), end = /[a-z]/.test(list.at(-1)) ? list.pop() : "";
    return { pieces: list.map((p) => p.split(":").map(Number)), end: end.replace(/\d+$/, ""), held: parseInt(end.slice(4), 10) };
  };
  if (nativeFetch) {
    const cut = (response, signal) => {
      const plan = response.headers.get(header);
      if (plan === null) return response;
      if (/^(never|held)/.test(plan)) return new Promise((_, no) => { if (plan !== "never") later(() => no(new TypeError("Failed to fetch")), planned(plan).held); });
      const headers = new NativeHeaders(response.headers);
      headers.delete(header);
      const { pieces, end, held } = planned(plan), whole = response.arrayBuffer(), began = now();
      let i = 0, at = 0;
      const lost = (c) => { try { c.error(new TypeError("Failed to fetch")); } catch { /* it is over */ } };
      const over = (c) => end === "held" ? new Promise((done) => later(() => { lost(c); done(); }, Math.max(0, began + held - now()))) : end === "fail" ? lost(c) : c.close();
      const body = new ReadableStream({ start(c) { signal?.addEventListener("abort", () => { try { c.error(signal.reason); } catch { /* it is over */ } }, { once: true }); }, async pull(c) {
        const data = new Uint8Array(await whole);
        if (i >= pieces.length) { await over(c); return; }
        const [ms, n] = pieces[i++], until = i === pieces.length ? data.length : Math.min(data.length, at + n);
        await new Promise((done) => later(done, Math.max(0, began + ms - now())));
        const had = until > at;
        if (had) c.enqueue(data.slice(at, until));
        at = until;
        if (i >= pieces.length && (!end || !had)) await over(c);
      } }, { highWaterMark: 0 });
      const made = new NativeResponse(body, { status: response.status, statusText: response.statusText, headers });
      for (const name of ["url", "type", "redirected"]) Object.defineProperty(made, name, { value: response[name] });
      streamed.add(made);
      return made;
    };
    const fetch = { fetch(input, init) {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined), p = nativeFetch.apply(this === undefined ? world : this, arguments).then((response) => cut(response, signal));
      if (!signal) return p;
      return new Promise((yes, no) => { p.then(yes, no); signal.addEventListener("abort", () => no(signal.reason), { once: true }); });
    } }.fetch;
    Object.defineProperty(world, "fetch", { value: fetch, writable: true, configurable: true, enumerable: true });
  }

  const Ask = world.XMLHttpRequest;
  if (Ask) {
    // staged has a text that came in pieces come in these again: what the browser
    // tells at once is held back, and told at the recorded times.
    const stages = new WeakMap();
    // held keeps an answer back that never came, until the page takes its
    // request back or its patience is over.
    const held = (x, sent) => {
      if (stages.has(x)) return;
      const s = { own: false, over: false };
      stages.set(x, s);
      let stage = 1;
      const end = (name) => {
        if (s.over) return;
        s.over = s.own = true;
        stage = 4;
        for (const n of ["readystatechange", name, "loadend"]) x.dispatchEvent(n === "readystatechange" ? new Event(n) : new ProgressEvent(n));
        stage = name === "abort" ? 0 : 4;
      };
      Object.defineProperties(x, { readyState: { configurable: true, get: () => stage }, status: { configurable: true, get: () => 0 }, statusText: { configurable: true, get: () => "" }, abort: { configurable: true, value: () => end("abort") } });
      if (x.timeout > 0) later(() => end("timeout"), Math.max(0, sent + x.timeout - now()));
      const plan = one.call(x, header);
      if (plan !== "never") later(() => end("error"), planned(plan).held);
    };
    const staged = (x, e) => {
      let s = stages.get(x);
      if (s?.over || s?.own) return;
      if (!s) {
        if (x.readyState < 3) return;
        const plan = x.responseType === "" || x.responseType === "text" ? one.call(x, header) : null;
        stages.set(x, s = { over: plan === null, ...planned(plan ?? "0:0"), began: now() });
        if (s.over) return;
      }
      e.stopImmediatePropagation();
      if (e.type !== "loadend") return;
      const data = new TextEncoder().encode(x.responseText), decoder = new TextDecoder(), event = (name) => name === "readystatechange" ? new Event(name) : new ProgressEvent(name, { loaded: at, total: 0 });
      let at = 0, text = "", stage = 3;
      const fire = (...names) => { s.own = true; try { for (const name of names) x.dispatchEvent(event(name)); } finally { s.own = false; } };
      Object.defineProperties(x, { readyState: { configurable: true, get: () => stage }, responseText: { configurable: true, get: () => text }, response: { configurable: true, get: () => text },
        abort: { configurable: true, value() { if (s.over) return; s.over = true; stage = 4; text = ""; fire("readystatechange", "abort", "loadend"); stage = 0; } } });
      const next = (i) => {
        if (s.over) return;
        if (i < s.pieces.length) {
          const until = i === s.pieces.length - 1 ? data.length : Math.min(data.length, at + s.pieces[i][1]);
          text += decoder.decode(data.subarray(at, until), { stream: i < s.pieces.length - 1 });
          at = until;
          fire("readystatechange", "progress");
          later(() => next(i + 1), i + 1 < s.pieces.length ? Math.max(0, s.began + s.pieces[i + 1][0] - now()) : 0);
          return;
        }
        if (s.end) { later(() => { if (!s.over) { s.over = true; stage = 4; text = ""; fire("readystatechange", "error", "loadend"); } }, Math.max(0, s.began + s.held - now())); return; } // the page takes it back
        s.over = true;
        for (const name of ["readyState", "responseText", "response", "abort"]) delete x[name];
        for (const name of ["readystatechange", "load", "loadend"]) x.dispatchEvent(event(name));
      };
      later(() => next(0), Math.max(0, s.began + s.pieces[0][0] - now()));
    };
    const one = Ask.prototype.getResponseHeader, all = Ask.prototype.getAllResponseHeaders, never = (x) => x.readyState >= 2 && /^(never|held)/.test(one.call(x, header) ?? "");
    const make = new Proxy(Ask, { construct(t, args, target) {
      const x = Reflect.construct(t, args, target === make ? t : target);
      let sent = now();
      x.addEventListener("loadstart", () => { sent = now(); });
      for (const name of ["readystatechange", "progress", "load", "loadend"]) x.addEventListener(name, (e) => { if (never(x)) { if (!stages.get(x)?.own) { e.stopImmediatePropagation(); held(x, sent); } } else staged(x, e); });
      return x;
    } });
    Object.defineProperty(Ask.prototype, "getResponseHeader", { value: function getResponseHeader(name) { return String(name).toLowerCase() === header.toLowerCase() ? null : one.apply(this, arguments); }, writable: true, configurable: true, enumerable: true });
    Object.defineProperty(Ask.prototype, "getAllResponseHeaders", { value: function getAllResponseHeaders() { return all.call(this).split("\r\n").filter((l) => !l.toLowerCase().startsWith(header.toLowerCase() + ":")).join("\r\n"); }, writable: true, configurable: true, enumerable: true });
    Object.defineProperty(Ask.prototype, "constructor", { value: make, writable: true, configurable: true });
    Object.defineProperty(world, "XMLHttpRequest", { value: make, writable: true, configurable: true });
  }

  // Peers are reached past everything that decides about requests.
  const Peer = world.RTCPeerConnection;
  if (Peer && !config.peers) {
    const strict = (c) => ({ ...c, iceServers: [], iceTransportPolicy: "relay" });
    const make = new Proxy(Peer, { construct: (t, [c, ...rest], target) => Reflect.construct(t, [strict(c), ...rest], target === make ? t : target) });
    const set = Peer.prototype.setConfiguration;
    if (set) Object.defineProperty(Peer.prototype, "setConfiguration", { value: function setConfiguration(c) { return set.call(this, strict(c)); }, writable: true, configurable: true });
    Object.defineProperty(Peer.prototype, "constructor", { value: make, writable: true, configurable: true });
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) if (world[name]) Object.defineProperty(world, name, { value: make, writable: true, configurable: true });
  }
})(CONFIG);
