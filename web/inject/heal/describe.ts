import { attribute, localName } from "../dom/native";
import { Describer, type Target } from "../selector/describe";
import { Finder } from "../selector/engine";
import { kindOf } from "../selector/generated";
import { ancestors } from "../selector/path";
import { counted } from "./likeness";

// Around is an element that the target is in.
export interface Around { tag: string; role: string; id?: string | undefined; testId?: string | undefined; name: string; text: string; depth: number }

// Described is a target with what tells it from others like it.
export interface Described extends Target {
  around?: Around[]; // nearest first
  alike?: number; // how many elements had its role and name
  siblings?: number; // how many had its role
  numbered?: number; // how many of those had its name but for the numbers in it
}

export const testIds = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-automation-id", "data-e2e"];

export function testIdOf(e: Element): string | undefined {
  for (const a of testIds) { const v = attribute(e, a); if (v) return v; }
  return undefined;
}

export function stableId(e: Element): string | undefined {
  const id = attribute(e, "id");
  return id && kindOf(id) !== "generated" ? id : undefined;
}

export function describe(e: Element): Described {
  return { ...new Describer({ testId: "data-testid", mask: "", keep: false }).describe(e), ...contextOf(e, new Finder()) };
}

// contextOf is what tells an element from others like it.
export function contextOf(e: Element, finder: Finder): Required<Pick<Described, "around" | "alike" | "siblings" | "numbered">> {
  const role = finder.role(e), name = finder.name(e), same = role ? finder.find([{ by: "role", role }], 500) : [];
  const bare = counted(name);
  return { siblings: same.length, alike: same.filter(o => finder.name(o) === name).length, numbered: bare ? same.filter(o => counted(finder.name(o)) === bare).length : 0, around: aroundOf(e, finder) };
}

// aroundOf are the ancestors that can be told from others: by an id, a name, or
// a text that is more than the element's own and not the whole page.
export function aroundOf(e: Element, finder: Finder): Around[] {
  const own = finder.text(e), list: Around[] = [];
  ancestors(e).slice(0, 10).forEach((a, depth) => {
    if (/^(html|body)$/.test(localName(a)) || list.length >= 4) return;
    const text = finder.text(a), role = finder.role(a), id = stableId(a), testId = testIdOf(a);
    if (text === own && !id && !testId || text.length > 400 && !id && !testId) return;
    list.push({ tag: localName(a), role, id, testId, name: finder.name(a).slice(0, 100), text: text.slice(0, 200), depth });
  });
  return list;
}
