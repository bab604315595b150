(text) => {
  const squeeze = s => (s || '').replace(/\s+/g, ' ').trim();
  const roles = { A: e => e.hasAttribute('href') ? 'link' : '', BUTTON: () => 'button', SELECT: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox', TEXTAREA: () => 'textbox',
    OPTION: () => 'option', IMG: () => 'img', NAV: () => 'navigation', MAIN: () => 'main', TABLE: () => 'table', TR: () => 'row', TD: () => 'cell', TH: () => 'columnheader', LI: () => 'listitem',
    UL: () => 'list', OL: () => 'list', DIALOG: () => 'dialog', FORM: () => 'form', OUTPUT: () => 'status', ARTICLE: () => 'article', P: () => 'paragraph', HEADER: () => 'banner', FOOTER: () => 'contentinfo',
    INPUT: e => ({ checkbox: 'checkbox', radio: 'radio', range: 'slider', button: 'button', submit: 'button', reset: 'button', image: 'button', number: 'spinbutton', search: 'searchbox' })[e.type] ?? (['text', 'email', 'tel', 'url', ''].includes(e.type) ? 'textbox' : '') };
  const roleOf = e => squeeze(e.getAttribute('role')).split(' ')[0] || (/^H[1-6]$/.test(e.nodeName) ? 'heading' : roles[e.nodeName]?.(e)) || '';
  const labelOf = e => {
    const by = e.getAttribute('aria-labelledby');
    if (by) return squeeze(by.split(/\s+/).map(id => e.getRootNode().getElementById?.(id)?.textContent).join(' '));
    return squeeze(e.getAttribute('aria-label')) || squeeze(Array.from(e.labels || [], l => { const c = l.cloneNode(true); c.querySelectorAll('input,select,textarea,button').forEach(x => x.remove()); return c.textContent; }).join(' '));
  };
  const textOf = e => e.nodeName === 'INPUT' && /^(submit|button|reset)$/.test(e.type) ? e.value : squeeze(Array.from(e.childNodes, function walk(n) {
    return n.nodeType === 3 ? n.data : n.nodeType !== 1 || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(n.nodeName) ? '' : (n.nodeName === 'IMG' ? n.alt : Array.from((n.shadowRoot || n).childNodes, walk).join(''));
  }).join(''));
  const nameOf = e => labelOf(e) || squeeze(e.alt) || (/^(textbox|combobox|listbox|searchbox|spinbutton|slider)$/.test(roleOf(e)) ? '' : textOf(e)) || squeeze(e.title) || squeeze(e.getAttribute('placeholder'));
  const visible = e => { const r = e.getBoundingClientRect(); return e.isConnected && getComputedStyle(e).visibility !== 'hidden' && r.width > 0 && r.height > 0; };
  const matches = (value, w) => w.regexp !== undefined ? new RegExp(w.regexp, w.flags || '').test(value) : w.exact ? squeeze(value) === squeeze(w.text) : squeeze(value).toLowerCase().includes(squeeze(w.text).toLowerCase());
  const inside = (root, css, out = []) => {
    out.push(...root.querySelectorAll(css));
    for (const e of root.querySelectorAll('*')) if (e.shadowRoot) inside(e.shadowRoot, css, out);
    if (root.shadowRoot) inside(root.shadowRoot, css, out);
    return out;
  };
  const all = (root, keep) => inside(root, '*').filter(keep);
  const states = { checked: e => e.checked ?? e.getAttribute('aria-checked') === 'true', disabled: e => !!e.disabled, expanded: e => e.getAttribute('aria-expanded') === 'true', selected: e => e.selected ?? e.getAttribute('aria-selected') === 'true',
    pressed: e => e.getAttribute('aria-pressed') === 'true', level: e => +(e.getAttribute('aria-level') || e.nodeName.slice(1)), 'include-hidden': () => true };
  const one = (roots, s) => {
    const from = keep => { const seen = new Set(); for (const r of roots) for (const e of keep(r)) seen.add(e); return [...seen]; };
    switch (s.by) {
      case 'css': return from(r => inside(r, s.text));
      case 'xpath': return from(r => { const out = [], it = document.evaluate(s.text, r, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE); for (let i = 0; i < it.snapshotLength; i++) out.push(it.snapshotItem(i)); return out; });
      case 'role': return from(r => all(r, e => roleOf(e) === s.role && visible(e) && (!s.name || matches(nameOf(e), s.name)) && Object.entries(s.states || {}).every(([k, v]) => states[k]?.(e) === v || k === 'include-hidden')));
      case 'label': return from(r => all(r, e => /^(INPUT|SELECT|TEXTAREA|BUTTON|METER|PROGRESS|OUTPUT)$/.test(e.nodeName) || e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby')).filter(e => labelOf(e) && matches(labelOf(e), s.want)));
      case 'attr': return from(r => all(r, e => e.hasAttribute(s.attr) && matches(e.getAttribute(s.attr), s.want)));
      case 'text': return from(r => { const found = all(r, e => !/^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE|HTML)$/.test(e.nodeName) && matches(textOf(e), s.want)); return found.filter(e => !found.some(o => o !== e && e.contains(o))); });
      case 'nth': { const i = s.nth < 0 ? roots.length + s.nth : s.nth; return roots[i] ? [roots[i]] : []; }
      case 'visible': return roots.filter(e => visible(e) === s.is);
      case 'hasText': return roots.filter(e => matches(textOf(e), s.want) === s.is);
      case 'has': return roots.filter(e => (chain([e], s.inner).length > 0) === s.is);
      case 'and': { const both = new Set(chain([document], s.inner)); return roots.filter(e => both.has(e)); }
      case 'or': return [...new Set([...roots, ...chain([document], s.inner)])];
      case 'chain': return chain(roots, s.inner);
    }
    throw new Error('cannot find by ' + s.by);
  };
  const chain = (roots, steps) => steps.reduce(one, roots);
  return chain([document], JSON.parse(text));
}
