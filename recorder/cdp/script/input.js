// What the user does in this frame. Each thing is reported before the page
// learns of it, with a snapshot of the frame as it is at that moment.
//
// Reports to Go (capture.go), as JSON through the binding:
//   {op: 'act', method, params, target, point, age, snapshot}  something begins
//   {op: 'value', value, key, age}                             the text field of the last act says this now
//   {op: 'done'}                                               the last act is over
//   {op: 'vitals', …} and {op: 'longtask', …}                  of the page's performance
// age is how many milliseconds ago it happened.
{
  const backlog = []; // of reports that nobody listened to yet
  deck.flush = () => { while (globalThis.__deckReport && backlog.length) globalThis.__deckReport(backlog.shift()); };
  const report = m => {
    if (backlog.length < 200) backlog.push(JSON.stringify(m));
    deck.flush();
  };
  const capture = (type, f) => addEventListener(type, e => { if (e.isTrusted) f(e, e.composedPath()[0]); }, {capture: true, passive: true});
  const age = e => Math.max(0, performance.now() - e.timeStamp);
  const modifiers = e => ['Alt', 'Control', 'Meta', 'Shift'].filter((_, i) => [e.altKey, e.ctrlKey, e.metaKey, e.shiftKey][i]);
  const isElement = n => n && n.nodeType === Node.ELEMENT_NODE;
  const textual = n => n.nodeName === 'TEXTAREA' || n.isContentEditable ||
    n.nodeName === 'INPUT' && !['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'hidden'].includes(n.type);
  const secret = n => n.type === 'password' || deck.mask && n.closest(deck.mask);
  const valueOf = n => { const v = n.isContentEditable ? n.innerText : n.value; return secret(n) ? '•'.repeat(v.length) : v; };

  let last = {}; // act
  function act(e, node, method, params = {}, extra = {}) {
    const target = isElement(node) && node !== document.documentElement && node !== document.body || method === 'click' ? deck.describe(node) : undefined;
    let snapshot;
    if (deck.snapshots) try { snapshot = deck.snapshot(node); } catch { /* the act matters more */ }
    last = {node, method, at: e.timeStamp};
    report({op: 'act', method, params: {selector: target?.selector, ...params}, target, age: age(e), snapshot, top: window === top, ...extra});
  }

  const place = (e, n) => {
    const b = n.getBoundingClientRect();
    return {point: {x: e.clientX, y: e.clientY}, position: {x: Math.round(e.clientX - b.x), y: Math.round(e.clientY - b.y)}};
  };

  // interactive is what was meant by pressing on something inside of a button or a link.
  const interactive = n => ['INPUT', 'TEXTAREA'].includes(n.nodeName) || n.isContentEditable ? n : n.closest('button,a[href],[role=button],[role=link],[role=menuitem],[role=tab],[role=option],summary,label') || n;

  let key; // last pressed
  function pressed(e, n, button) {
    if (!isElement(n)) return;
    if (e.type === 'click' && e.detail === 0 && key && e.timeStamp - key.timeStamp < 1000) return; // a key did it
    if (['SELECT', 'OPTION'].includes(n.nodeName) || n.type === 'file') return;
    const box = n.nodeName === 'INPUT' && (n.type === 'checkbox' || n.type === 'radio');
    if (e.type === 'click' && last.method === 'label' && e.timeStamp - last.at < 1 && !box) return;
    if (box && e.type === 'click') {
      act(e, n, n.checked || n.type === 'radio' ? 'check' : 'uncheck', {}, e.detail ? place(e, n) : {});
      return;
    }
    const label = n.closest('label');
    if (label?.control && label.control !== n && e.type === 'click' && ['checkbox', 'radio', 'file'].includes(label.control.type)) return; // the control gets a click of its own
    n = interactive(n);
    const {point, position} = place(e, n);
    const params = {position};
    if (button !== 'left') params.button = button;
    if (modifiers(e).length) params.modifiers = modifiers(e);
    if (e.detail > 1) params.clickCount = e.detail;
    act(e, n, e.pointerType === 'touch' ? 'tap' : e.detail === 2 && button === 'left' ? 'dblclick' : 'click', params, {point});
  }
  capture('click', (e, n) => pressed(e, n, 'left'));
  capture('contextmenu', (e, n) => { if (e.button === 2) pressed(e, n, 'right'); });
  capture('auxclick', (e, n) => { if (e.button === 1) pressed(e, n, 'middle'); });

  let field; // that is being filled
  capture('input', (e, n) => {
    if (!isElement(n) || !textual(n)) return;
    if (n.isContentEditable) while (n.parentElement?.isContentEditable) n = n.parentElement;
    if (field === n && last.method === 'fill' && last.node === n) { report({op: 'value', value: valueOf(n), age: age(e)}); return; }
    field = n;
    act(e, n, 'fill', {value: valueOf(n)}, {masked: !!secret(n)});
  });
  capture('change', (e, n) => {
    if (!isElement(n)) return;
    if (n.nodeName === 'SELECT') act(e, n, 'selectOption', {options: Array.from(n.selectedOptions, o => ({valueOrLabel: o.value}))});
    else if (n.type === 'file') act(e, n, 'setInputFiles', {localPaths: Array.from(n.files, f => f.name)});
    else if (field === n && last.node === n) { field = undefined; report({op: 'done'}); }
  });
  capture('keydown', (e, n) => {
    key = e;
    if (e.repeat || ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead', 'Process', 'Unidentified'].includes(e.key) || !isElement(n)) return;
    const writes = textual(n), command = e.ctrlKey || e.metaKey || e.altKey && e.key.length > 1;
    if (!command && (e.key.length === 1 && (writes || e.key !== ' ') || writes && ['Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(e.key))) return;
    if (writes && e.key === 'Enter' && n.nodeName !== 'INPUT') return;
    act(e, n, 'press', {key: [...modifiers(e).filter(m => m !== 'Shift' || e.key.length > 1), e.key].join('+')});
  });

  let dragged;
  capture('dragstart', (e, n) => { if (isElement(n)) dragged = deck.describe(n); });
  capture('drop', (e, n) => {
    if (!isElement(n)) return;
    const target = deck.describe(n);
    act(e, n, 'dragAndDrop', {selector: undefined, source: dragged?.selector, target: target.selector}, place(e, n));
    dragged = undefined;
  });

  let wheeled = 0;
  capture('wheel', e => { wheeled = e.timeStamp; });
  capture('touchmove', e => { wheeled = e.timeStamp; });
  capture('scroll', (e, n) => {
    if (e.timeStamp - wheeled > 1000) return;
    const box = n === document ? document.scrollingElement : n;
    const position = {x: box.scrollLeft, y: box.scrollTop};
    if (last.method === 'scroll' && last.node === box) { report({op: 'value', position, age: age(e)}); return; }
    act(e, box, 'scroll', position);
  });

  // How the page performs.
  if (window === top) {
    const vitals = {CLS: 0};
    let due;
    const tell = () => { clearTimeout(due); due = undefined; report({op: 'vitals', url: location.href, ...vitals}); };
    const changed = () => { due ??= setTimeout(tell, 1000); };
    const watch = (type, each, more) => {
      try { new PerformanceObserver(l => { for (const e of l.getEntries()) each(e); }).observe({type, buffered: true, ...more}); } catch { /* not in this browser */ }
    };
    watch('navigation', e => { vitals.TTFB = e.responseStart; changed(); });
    watch('paint', e => { if (e.name === 'first-contentful-paint') { vitals.FCP = e.startTime; changed(); } });
    watch('largest-contentful-paint', e => { vitals.LCP = e.startTime; changed(); });
    let window_ = {value: 0, first: 0, last: 0}; // of shifts that belong together
    watch('layout-shift', e => {
      if (e.hadRecentInput) return;
      if (e.startTime - window_.last > 1000 || e.startTime - window_.first > 5000) window_ = {value: 0, first: e.startTime, last: 0};
      window_.value += e.value; window_.last = e.startTime;
      if (window_.value > vitals.CLS) { vitals.CLS = window_.value; changed(); }
    });
    const interactions = new Map();
    watch('event', e => {
      if (!e.interactionId) return;
      interactions.set(e.interactionId, Math.max(interactions.get(e.interactionId) || 0, e.duration));
      if (interactions.size > 500) interactions.delete(interactions.keys().next().value);
      const sorted = [...interactions.values()].sort((a, b) => b - a);
      vitals.INP = sorted[Math.min(sorted.length - 1, Math.floor(interactions.size / 50))];
      changed();
    }, {durationThreshold: 16});
    watch('longtask', e => report({op: 'longtask', duration: e.duration, age: Math.max(0, performance.now() - e.startTime)}));
    addEventListener('pagehide', tell, {capture: true});
    addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') tell(); }, {capture: true});
  }
}
