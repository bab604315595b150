// The DOM's own accessors. Elements of a form shadow its properties (a field
// named "parentNode" is what form.parentNode gives), names in a document shadow
// the document's, so nothing here goes by way of properties.

type Getter<T> = (o: object) => T;

const bind = Function.prototype.bind;
const call = Function.prototype.call;

function getter<T>(type: { prototype: object }, name: string): Getter<T> {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name)?.get;
  return get ? bind.call(call, get) as unknown as Getter<T> : () => undefined as T;
}

function method<A extends unknown[], T>(type: { prototype: object }, name: string): (o: object, ...args: A) => T {
  return bind.call(call, (type.prototype as Record<string, unknown>)[name] as never) as unknown as (o: object, ...args: A) => T;
}

export const nodeType = getter<number>(Node, "nodeType");
export const nodeName = getter<string>(Node, "nodeName");
export const firstChild = getter<Node | null>(Node, "firstChild");
export const nextSibling = getter<Node | null>(Node, "nextSibling");
export const parentNode = getter<Node | null>(Node, "parentNode");
export const textContent = getter<string | null>(Node, "textContent");
export const isConnected = getter<boolean>(Node, "isConnected");
export const childNodes = getter<NodeListOf<ChildNode>>(Node, "childNodes");
export const rootOf = method<[], Node>(Node, "getRootNode");
export const localName = getter<string>(Element, "localName");
export const attributesOf = getter<NamedNodeMap>(Element, "attributes");
export const children = getter<HTMLCollection>(Element, "children");
export const firstElement = getter<Element | null>(Element, "firstElementChild"), nextElement = getter<Element | null>(Element, "nextElementSibling"), previousElement = getter<Element | null>(Element, "previousElementSibling");
const firstInDocument = getter<Element | null>(Document, "firstElementChild"), firstInFragment = getter<Element | null>(DocumentFragment, "firstElementChild");
export const openRoot = getter<ShadowRoot | null>(Element, "shadowRoot");
export const scrollTop = getter<number>(Element, "scrollTop");
export const scrollLeft = getter<number>(Element, "scrollLeft");
export const idOf = getter<string>(Element, "id");
export const attribute = method<[string], string | null>(Element, "getAttribute");
export const hasAttribute = method<[string], boolean>(Element, "hasAttribute");
export const matches = method<[string], boolean>(Element, "matches");
export const closest = method<[string], Element | null>(Element, "closest");
export const boxOf = method<[], DOMRect>(Element, "getBoundingClientRect");
export const documentElement = getter<Element | null>(Document, "documentElement");
export const bodyOf = getter<HTMLElement | null>(Document, "body");
export const doctypeOf = getter<DocumentType | null>(Document, "doctype");
export const baseURI = getter<string>(Node, "baseURI");
export const activeOf = getter<Element | null>(Document, "activeElement");
const documentSheets = getter<StyleSheetList>(Document, "styleSheets"), shadowSheets = getter<StyleSheetList>(ShadowRoot, "styleSheets");
const documentAdopted = getter<CSSStyleSheet[]>(Document, "adoptedStyleSheets"), shadowAdopted = getter<CSSStyleSheet[]>(ShadowRoot, "adoptedStyleSheets");

export function sheetsOf(root: Node): StyleSheetList { return root instanceof ShadowRoot ? shadowSheets(root) : documentSheets(root); }
export function adoptedOf(root: Node): ArrayLike<CSSStyleSheet> { return (root instanceof ShadowRoot ? shadowAdopted(root) : documentAdopted(root)) ?? []; }
export const hostOf = getter<Element>(ShadowRoot, "host");
export const inputType = getter<string>(HTMLInputElement, "type");
const editableOf = getter<boolean>(HTMLElement, "isContentEditable");

// isContentEditable is false for what has no such property: SVG, MathML.
export function isContentEditable(n: unknown): boolean { return n instanceof HTMLElement && editableOf(n); }

// isDrawn reports whether a page draws the text of an element itself, with what
// is written handed to it (EditContext).
export function isDrawn(n: unknown): boolean { return n instanceof HTMLElement && !!(n as { editContext?: object | null }).editContext; }

const findInElement = method<[string], NodeListOf<Element>>(Element, "querySelectorAll");
const findInDocument = method<[string], NodeListOf<Element>>(Document, "querySelectorAll");
const findInFragment = method<[string], NodeListOf<Element>>(DocumentFragment, "querySelectorAll");

// query is querySelectorAll of an element, document or shadow root.
export function query(root: Node, css: string): NodeListOf<Element> {
  switch (nodeType(root)) {
    case Node.DOCUMENT_NODE: return findInDocument(root, css);
    case Node.DOCUMENT_FRAGMENT_NODE: return findInFragment(root, css);
    default: return findInElement(root, css);
  }
}

export function isElement(n: unknown): n is Element { return n instanceof Element; }

// parentOf is the node around, by way of the host for a shadow root.
export function parentOf(n: Node): Node | null {
  return n instanceof ShadowRoot ? hostOf(n) : parentNode(n);
}

// firstChildElement is the first element right inside of an element, document or shadow root.
export function firstChildElement(n: Node): Element | null {
  return n instanceof Element ? firstElement(n) : n instanceof Document ? firstInDocument(n) : firstInFragment(n);
}
