// The DOM of this frame as an array of nodes, in which what is as it was in an
// earlier snapshot is a reference to it. It runs in a world of its own, which
// the page cannot see.
//
// Contract with Go (script.go):
//   deck.snapshot(target?)  → {html, doctype, url, width, height, wall, took, overrides}
//   deck.reset()            the next snapshot refers to none before it
//   deck.frame(element, id) → selector; the element shows the frame of that id
//   deck.mask               CSS selector of elements whose text is left out
const deck = globalThis.__deck = {mask: ''};
{
  let count = 0; // snapshots so far
  let seen = new WeakMap(); // node → what was written of it, and where
  const frames = new WeakMap();
  const observed = new WeakSet();
  const observer = new MutationObserver(soil);
  const options = {attributes: true, childList: true, characterData: true, subtree: true};

  function soil(records) {
    for (const r of records) {
      const s = seen.get(r.target);
      if (s) s.dirty = true;
    }
  }

  deck.reset = () => { seen = new WeakMap(); count = 0; };
  deck.frame = (element, id) => { frames.set(element, id); return deck.describe(element).selector; };

  deck.snapshot = target => {
    const began = performance.now();
    if (!observed.has(document)) { observed.add(document); observer.observe(document, options); }
    soil(observer.takeRecords());
    try {
      const pass = {index: 0, now: count, target, overrides: [], custom: new Set(), masked: false};
      const root = document.documentElement;
      const html = root ? visit(root, pass) : ['HTML'];
      count++;
      return {html, doctype: document.doctype?.name, url: location.href, width: innerWidth, height: innerHeight,
        wall: Date.now(), took: performance.now() - began, overrides: pass.overrides};
    } catch (e) {
      deck.reset();
      throw e;
    }
  };

  const skip = new Set(['SCRIPT', 'NOSCRIPT', 'BASE']);

  function skipped(e) {
    if (skip.has(e.nodeName)) return true;
    if (e.nodeName === 'LINK') return /\b(preload|modulepreload|prefetch|preconnect|dns-prefetch)\b/i.test(e.getAttribute('rel') || '');
    if (e.nodeName === 'META') return /^(content-security-policy|refresh|set-cookie)$/i.test(e.getAttribute('http-equiv') || '');
    return (e.nodeName === 'IFRAME' || e.nodeName === 'FRAME') && e.parentNode?.nodeName === 'HEAD';
  }

  // reference names what was written before, unless it has to be written anew.
  const reference = (s, pass) => [[pass.now - s.at, s.index]];

  function text(node, pass) {
    const data = pass.masked ? node.data.replace(/\S/g, '•') : node.data;
    const s = seen.get(node);
    if (s && s.data === data) return reference(s, pass);
    seen.set(node, {at: pass.now, index: pass.index++, data});
    return data;
  }

  function visit(e, pass) {
    let s = seen.get(e);
    if (!s) seen.set(e, s = {dirty: true, at: -1});
    const wasMasked = pass.masked;
    if (deck.mask && !pass.masked && e.matches(deck.mask)) pass.masked = true;
    if (s.dirty || pass.masked) s.attributes = attributes(e, pass);
    let own = state(e, pass);
    if (e.nodeName.includes('-') && e.matches(':defined')) pass.custom.add(e.localName);
    const before = pass.index;
    const style = e.nodeName === 'STYLE';
    const kids = style ? [] : children(e, s, pass);
    if (e.nodeName === 'BODY' && pass.custom.size) (own ??= {}).__playwright_custom_elements__ = [...pass.custom].join(',');
    if (e.nodeName === 'LINK') override(e, s, pass);
    const css = style ? sheetText(e, s) : undefined;
    pass.masked = wasMasked;
    const key = own || css ? JSON.stringify(own) + css : '';
    if (s.at >= 0 && !s.dirty && key === s.key && pass.index === before) return reference(s, pass);
    if (style) pass.index++;
    s.dirty = false; s.key = key; s.at = pass.now; s.index = pass.index++;
    const name = e.nodeName;
    const attrs = own ? {...s.attributes, ...own} : s.attributes;
    if (style) return [name, attrs, css];
    if (kids.length) { kids.unshift(name, attrs); return kids; }
    return Object.keys(attrs).length ? [name, attrs] : [name];
  }

  function children(e, s, pass) {
    const out = [];
    if (e.nodeName === 'HEAD') out.push(base(s, pass));
    const shadow = e.shadowRoot;
    if (shadow) out.push(shadowTree(shadow, s, pass));
    for (let n = e.firstChild; n; n = n.nextSibling) {
      if (n.nodeType === Node.TEXT_NODE) out.push(text(n, pass));
      else if (n.nodeType === Node.ELEMENT_NODE && !skipped(n)) out.push(visit(n, pass));
    }
    if (e === document.documentElement) out.push(...adopted(document, s, pass));
    return out;
  }

  // The page's addresses are relative to what is written into the head.
  function base(s, pass) {
    const href = document.baseURI;
    if (s.base && s.base.href === href) return reference(s.base, pass);
    s.base = {href, at: pass.now, index: pass.index++};
    return ['BASE', {href}];
  }

  function shadowTree(root, host, pass) {
    if (!observed.has(root)) { observed.add(root); observer.observe(root, options); }
    let s = seen.get(root);
    if (!s) seen.set(root, s = {dirty: true, at: -1});
    const before = pass.index;
    const kids = [];
    for (let n = root.firstChild; n; n = n.nextSibling) {
      if (n.nodeType === Node.TEXT_NODE) kids.push(text(n, pass));
      else if (n.nodeType === Node.ELEMENT_NODE && !skipped(n)) kids.push(visit(n, pass));
    }
    kids.push(...adopted(root, s, pass));
    if (s.at >= 0 && !s.dirty && pass.index === before) return reference(s, pass);
    Object.assign(s, {dirty: false, at: pass.now, index: pass.index++});
    return ['template', {__playwright_shadow_root_: 'open'}, ...kids];
  }

  function adopted(root, s, pass) {
    const sheets = root.adoptedStyleSheets;
    const had = s.sheets || [];
    if (sheets.length !== had.length || had.some((x, i) => x !== sheets[i])) { s.sheets = Array.from(sheets); s.dirty = true; }
    return Array.from(sheets, sheet => {
      const css = rulesOf(sheet);
      const known = seen.get(sheet);
      if (known && known.css === css) return reference(known, pass);
      seen.set(sheet, {css, at: pass.now, index: pass.index++});
      return ['template', {__playwright_style_sheet_: css}];
    });
  }

  function rulesOf(sheet) {
    try { return Array.from(sheet.cssRules, r => r.cssText).join('\n'); } catch { return ''; }
  }

  // sheetText is what a style element says, or what scripts made of it.
  function sheetText(e, s) {
    const source = e.textContent || '';
    const sheet = e.sheet;
    if (!sheet) return source;
    if (s.source !== source) { s.source = source; s.rules = parsedRules(source, e); }
    return sheet.cssRules.length === s.rules ? source : rulesOf(sheet);
  }

  function parsedRules(source) {
    if (!source.trim()) return 0;
    try {
      const probe = new CSSStyleSheet();
      probe.replaceSync(source);
      return probe.cssRules.length + (source.match(/@import\b/g) || []).length;
    } catch { return -1; }
  }

  // override tells of a linked sheet that a script changed.
  function override(e, s, pass) {
    let rules;
    try { rules = e.sheet?.cssRules.length; } catch { return; } // another site's
    if (rules === undefined) return;
    if (s.sheet !== e.sheet) { s.sheet = e.sheet; s.rules = rules; s.changed = false; }
    if (rules !== s.rules) s.changed = true;
    if (s.changed) pass.overrides.push({url: e.href.replace(/#.*/, ''), text: rulesOf(e.sheet)});
  }

  const scriptURL = /^\s*(javascript|vbscript):/i;

  function attributes(e, pass) {
    const out = {};
    const name = e.nodeName;
    const frame = name === 'IFRAME' || name === 'FRAME';
    for (const {name: n, value} of e.attributes) {
      if (n.startsWith('__playwright')) continue;
      if (name === 'LINK' && n === 'integrity' || name === 'DIALOG' && n === 'open') continue;
      if (frame && (n === 'src' || n === 'srcdoc' || n === 'sandbox')) continue;
      if (name === 'INPUT' && n === 'value' && (pass.masked || e.type === 'password')) continue;
      if (name === 'META' && n === 'charset') out[n] = 'utf-8';
      else if (n.startsWith('on')) out[n] = '';
      else if ((n === 'src' || n === 'srcset' || n === 'href' && name === 'LINK') && scriptURL.test(value)) out[n] = '';
      else out[n] = value;
    }
    return out;
  }

  const stateful = new Set(['INPUT', 'TEXTAREA', 'OPTION', 'IFRAME', 'FRAME', 'CANVAS', 'IMG', 'DIALOG']);

  // state is what an element is without saying so in its attributes.
  function state(e, pass) {
    const top = e.scrollTop, left = e.scrollLeft;
    if (!stateful.has(e.nodeName) && !top && !left && e !== pass.target && !e.popover) return undefined;
    const out = {};
    if (e === pass.target) out.__playwright_target__ = '';
    if (top) out.__playwright_scroll_top_ = String(top);
    if (left) out.__playwright_scroll_left_ = String(left);
    switch (e.nodeName) {
      case 'INPUT':
        if (e.type === 'checkbox' || e.type === 'radio') out.__playwright_checked_ = String(e.checked);
        else if (e.type !== 'file') out.__playwright_value_ = pass.masked || e.type === 'password' ? '•'.repeat(e.value.length) : e.value;
        break;
      case 'TEXTAREA': out.__playwright_value_ = pass.masked ? e.value.replace(/\S/g, '•') : e.value; break;
      case 'OPTION': out.__playwright_selected_ = String(e.selected); break;
      case 'IFRAME': case 'FRAME': out.src = frames.has(e) ? '/snapshot/' + frames.get(e) : ''; // fallthrough
      case 'CANVAS': {
        const {left, top, right, bottom} = e.getBoundingClientRect();
        out.__playwright_bounding_rect__ = JSON.stringify({left, top, right, bottom});
        break;
      }
      case 'IMG': if (e.currentSrc && (e.srcset || e.parentNode?.nodeName === 'PICTURE')) out.__playwright_current_src__ = e.currentSrc; break;
      case 'DIALOG': if (e.open) out.__playwright_dialog_open_ = e.matches(':modal') ? 'modal' : 'true'; break;
    }
    if (e.popover && e.matches(':popover-open')) out.__playwright_popover_open_ = 'true';
    for (const _ in out) return out;
    return undefined;
  }
}
