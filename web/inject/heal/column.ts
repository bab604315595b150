import { attribute } from "../dom/native";
import { type Finder } from "../selector/engine";
import { rowOf } from "../selector/row";
import { type Described } from "./describe";
import { covered, lasting, pieces } from "./likeness";

const columns = ["aria-colindex", "col-id", "data-field", "data-column", "data-column-id", "data-col", "data-colid", "headers"];

// inColumn finds the cells that are in the target's row and column, whatever
// stands in them: the row is the only one that has what told the target's from
// others, besides the cell itself. last is the last step of the way to a cell.
export function inColumn(t: Described, cells: Element[], finder: Finder, last: (e: Element) => string): Element[] {
  const key = [...new Set(pieces(lasting(t.row?.text ?? ""), t.text ?? "", t.name ?? ""))];
  const rows = new Map<Element, Set<string>>(), rowOfCell = new Map<Element, Element>();
  for (const c of cells) {
    const row = rowOf(c, finder);
    if (!row || row.element === c) continue;
    rowOfCell.set(c, row.element);
    if (!rows.has(row.element)) rows.set(row.element, new Set(pieces(row.row.text)));
  }
  const row = theOne(key, rows);
  return row ? cells.filter(c => rowOfCell.get(c) === row && sameColumn(t, c, last)) : [];
}

function letters(w: string): boolean { return /\p{L}/u.test(w); }

// theOne is the row that has all the words that only one row has, if those are
// enough to tell it.
function theOne(key: string[], rows: Map<Element, Set<string>>): Element | undefined {
  let found: Element | undefined;
  const told: string[] = [];
  for (const w of key) {
    const has = [...rows].filter(([, text]) => text.has(w));
    if (has.length !== 1) continue;
    if (found && has[0][0] !== found) return undefined;
    found = has[0][0];
    told.push(w);
  }
  // Other numbers may be by chance, too.
  const said = key.filter(letters), part = found ? covered(said.length > 0 ? said : key, [...rows.get(found) as Set<string>]) : 0;
  return (told.length > 1 || told.some(letters)) && part >= (rows.size > 1 ? 0.5 : 1) ? found : undefined;
}

function sameColumn(t: Described, e: Element, last: (e: Element) => string): boolean {
  const named = columns.find(a => t.attributes?.[a]);
  if (named) return attribute(e, named) === t.attributes[named];
  return !!t.xpath && t.xpath.slice(t.xpath.lastIndexOf("/") + 1) === last(e);
}
