// The browser's own lists, calendars and colour choosers are windows that no
// picture shows and that nobody closes: they stay shut. What was chosen is an
// action of its own.
(function () {
  const G = globalThis, deck = G.__tracedeck;
  if (!deck || deck.shut || CONFIG.regime === 'real' || typeof document === 'undefined') return;
  deck.shut = true;
  const quiet = new WeakMap(), prevent = Event.prototype.preventDefault, prevented = Object.getOwnPropertyDescriptor(Event.prototype, 'defaultPrevented').get;
  const listen = EventTarget.prototype.addEventListener, focus = HTMLElement.prototype.focus;
  // What is kept from happening is not seen by the page.
  hide(Event.prototype, 'preventDefault', { preventDefault() { const q = quiet.get(this); if (q) q.prevented = true; return prevent.call(this); } }.preventDefault);
  Object.defineProperty(Event.prototype, 'defaultPrevented', { get() { const q = quiet.get(this); return q ? q.prevented : prevented.call(this); }, configurable: true, enumerable: true });
  const calendar = /^(date|month|week|time|datetime-local|color)$/;
  const kind = e => {
    const path = e.composedPath(), el = path.find(n => n instanceof HTMLSelectElement) || path[0];
    if (el instanceof HTMLSelectElement) return !el.multiple && el.size <= 1 && !el.disabled && getComputedStyle(el).appearance !== 'base-select' ? [el, 'list'] : [];
    return el instanceof HTMLInputElement && calendar.test(el.type) ? [el, el.type] : [];
  };
  const shut = e => {
    const q = { prevented: false };
    quiet.set(e, q);
    prevent.call(e);
    return q;
  };
  // The focus goes where it would have gone, when all have heard of the press;
  // where somebody keeps it from the others, before the button is let go.
  let pressed;
  const settle = () => { const p = pressed; pressed = undefined; if (p && !p.q.prevented) focus.call(p.el, { preventScroll: true }); };
  const opens = (e, what) => /^F4$/.test(e.key) || e.altKey && /^Arrow(Up|Down)$/.test(e.key) || (what === 'list' || what === 'color') && /^( |Enter)$/.test(e.key);
  const on = (name, what) => listen.call(G, name, e => { if (e.isTrusted) { const [el, k] = kind(e); if (el) what(e, el, k); } }, true);
  on('mousedown', (e, el, k) => { if (k === 'list' && e.button === 0) pressed = { el, q: shut(e) }; });
  listen.call(G, 'mousedown', settle);
  listen.call(G, 'mouseup', settle, true);
  on('click', (e, el, k) => { if (k !== 'list') shut(e); });
  for (const name of ['keydown', 'keypress']) on(name, (e, el, k) => { if (opens(e, k)) shut(e); });
  for (const C of [G.HTMLInputElement, G.HTMLSelectElement]) {
    const show = C && C.prototype.showPicker;
    if (show) hide(C.prototype, 'showPicker', { showPicker() { if (this instanceof HTMLInputElement && !calendar.test(this.type)) return show.call(this); } }.showPicker);
  }
})();
