// Every way to name an element that a replay could need.
//
//   deck.describe(element) → {selector, testId, id, tag, role, name, label, placeholder, text, css, attributes, box}
{
  const roles = {A: e => e.hasAttribute('href') ? 'link' : '', BUTTON: () => 'button', SELECT: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox',
    TEXTAREA: () => 'textbox', OPTION: () => 'option', IMG: () => 'img', H1: () => 'heading', H2: () => 'heading', H3: () => 'heading',
    H4: () => 'heading', H5: () => 'heading', H6: () => 'heading', NAV: () => 'navigation', MAIN: () => 'main', TABLE: () => 'table',
    TR: () => 'row', TD: () => 'cell', TH: () => 'columnheader', LI: () => 'listitem', UL: () => 'list', OL: () => 'list', SUMMARY: () => '',
    DIALOG: () => 'dialog', FORM: () => 'form', INPUT: e => ({checkbox: 'checkbox', radio: 'radio', range: 'slider', button: 'button', submit: 'button',
      reset: 'button', image: 'button', number: 'spinbutton', search: 'searchbox', hidden: ''}[e.type] ?? (['text', 'email', 'tel', 'url', ''].includes(e.type) ? 'textbox' : ''))};
  const squeeze = s => (s || '').replace(/\s+/g, ' ').trim();
  const roleOf = e => squeeze(e.getAttribute('role')).split(' ')[0] || roles[e.nodeName]?.(e) || '';
  const named = new Set(['button', 'link', 'heading', 'option', 'cell', 'columnheader', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'checkbox',
    'radio', 'switch', 'treeitem', 'row', 'tooltip', 'gridcell']);

  function labelOf(e) {
    const by = e.getAttribute('aria-labelledby');
    if (by) return squeeze(by.split(/\s+/).map(id => e.getRootNode().getElementById?.(id)?.textContent).join(' '));
    if (e.getAttribute('aria-label')) return squeeze(e.getAttribute('aria-label'));
    return squeeze(Array.from(e.labels || [], l => contents(l, e)).join(' '));
  }

  // contents is the text that gives a name: without scripts and the control itself.
  function contents(e, except) {
    let out = '';
    for (const n of e.childNodes) {
      if (n.nodeType === Node.TEXT_NODE) out += n.data;
      else if (n.nodeType !== Node.ELEMENT_NODE || n === except || n.nodeName === 'SCRIPT' || n.nodeName === 'STYLE' || n.ariaHidden === 'true') continue;
      else if (n.nodeName === 'IMG') out += ' ' + n.alt + ' ';
      else out += getComputedStyle(n).display === 'inline' ? contents(n, except) : ' ' + contents(n, except) + ' ';
    }
    return out;
  }

  function nameOf(e, role) {
    const label = labelOf(e);
    if (label) return label;
    if (e.nodeName === 'IMG' || e.nodeName === 'INPUT' && e.type === 'image') return squeeze(e.alt);
    if (e.nodeName === 'INPUT' && role === 'button') return squeeze(e.value || {submit: 'Submit', reset: 'Reset'}[e.type]);
    if (named.has(role)) { const text = squeeze(contents(e)); if (text) return text; }
    return squeeze(e.getAttribute('placeholder') || e.title);
  }

  // Ids and classes that a program makes up are other ones tomorrow.
  const madeUp = s => /\d{3,}|^[:_]|^(radix|headlessui|react-select|mui|ember|downshift|ng-|__)|[0-9a-f]{6,}|[a-z][A-Z0-9][a-z0-9]*[A-Z0-9]/.test(s) && !/^[a-z]+([A-Z][a-z]+)+$/.test(s) || /^[a-zA-Z]+-?\d+$/.test(s);
  const css = s => CSS.escape(s);
  const q = s => JSON.stringify(s);

  function all(selector, root = document, out = []) {
    out.push(...root.querySelectorAll(selector));
    if (deep.size) for (const r of deep) if (r.host.isConnected) out.push(...r.querySelectorAll(selector));
    return out;
  }
  const deep = new Set(); // shadow roots in which something was done

  const candidates = 'a,button,input,select,textarea,option,img,h1,h2,h3,h4,h5,h6,nav,main,table,tr,td,th,li,ul,ol,dialog,form,[role]';
  const only = (list, e) => list.length === 1 && list[0] === e;

  function byRole(e, role, name) {
    if (!role || !name || name.length > 120) return '';
    const lower = name.toLowerCase();
    let n = 0, exact = 0;
    for (const c of all(candidates)) {
      if (roleOf(c) !== role) continue;
      const other = nameOf(c, role);
      if (other === name) exact++;
      if (other.toLowerCase().includes(lower) && ++n > 20) break;
    }
    if (n === 1) return `internal:role=${role}[name=${q(name)}i]`;
    return exact === 1 && n <= 20 ? `internal:role=${role}[name=${q(name)}s]` : '';
  }

  function path(e) {
    const parts = [];
    let n = e;
    for (; n && n.nodeType === Node.ELEMENT_NODE && n !== document.documentElement; n = n.parentNode) {
      if (n.id && !madeUp(n.id) && only(all('#' + css(n.id), n.getRootNode()), n)) { parts.unshift('#' + css(n.id)); return parts.join(' > '); }
      const same = n.parentNode ? Array.from(n.parentNode.children).filter(c => c.localName === n.localName) : [];
      parts.unshift(css(n.localName) + (same.length > 1 ? `:nth-of-type(${same.indexOf(n) + 1})` : ''));
    }
    return parts.join(' > ');
  }

  // within is the path through the hosts of the shadow trees that the element is in.
  function fullPath(e) {
    const root = e.getRootNode();
    return root instanceof ShadowRoot ? fullPath(root.host) + ' >> ' + path(e) : path(e);
  }

  function best(e, t) {
    if (t.testId && only(all(`[${css(t.testIdAttribute)}=${q(t.testId)}]`), e)) return `internal:testid=[${t.testIdAttribute}=${q(t.testId)}s]`;
    const role = byRole(e, t.role, t.name);
    if (role) return role;
    if (t.label && only(all('input,select,textarea,[aria-label],[aria-labelledby]').filter(c => labelOf(c).toLowerCase().includes(t.label.toLowerCase())), e))
      return `internal:label=${q(t.label)}i`;
    if (t.placeholder && only(all(`[placeholder=${q(t.placeholder)}]`), e)) return `internal:attr=[placeholder=${q(t.placeholder)}i]`;
    if (t.id && !madeUp(t.id) && only(all('#' + css(t.id)), e)) return '#' + css(t.id);
    for (const a of ['name', 'title', 'alt', 'href', 'for', 'type']) {
      const v = e.getAttribute(a);
      if (v && v.length < 100 && !madeUp(v) && only(all(`${e.localName}[${a}=${q(v)}]`), e)) return `${e.localName}[${a}=${q(v)}]`;
    }
    return t.css;
  }

  deck.testId = 'data-testid';
  deck.describe = e => {
    for (let r = e.getRootNode(); r instanceof ShadowRoot; r = r.host.getRootNode()) deep.add(r);
    const role = roleOf(e), box = e.getBoundingClientRect();
    const secret = e.type === 'password' || deck.mask && e.closest(deck.mask);
    const t = {tag: e.localName, role, name: nameOf(e, role).slice(0, 200), label: labelOf(e).slice(0, 200), placeholder: e.getAttribute('placeholder') || undefined,
      testIdAttribute: deck.testId, testId: e.getAttribute(deck.testId) || undefined, id: e.id || undefined, text: secret ? undefined : squeeze(e.innerText).slice(0, 200) || undefined,
      css: fullPath(e), attributes: {}, box: {x: box.x, y: box.y, width: box.width, height: box.height}};
    for (const {name, value} of e.attributes) if (value.length < 100 && !/^(on|style$|value$)/.test(name)) t.attributes[name] = value;
    t.selector = best(e, t);
    if (t.id && madeUp(t.id)) t.generatedId = true;
    return t;
  };
}
