import { attribute, closest, inputType, matches } from "./native";

// What is not to be recorded.

export interface Secrets {
  mask: string; // CSS selector of elements whose text is left out
  keep: boolean; // passwords are recorded as they are
}

const everSecret = new WeakSet<Element>(); // a password that is shown is one still
const bullet = "•";

// isSecret reports whether a field's value is a secret by what the field is.
export function isSecret(e: Element, s: Secrets): boolean {
  if (s.keep) return false;
  if (everSecret.has(e)) return true;
  const yes = e instanceof HTMLInputElement && inputType(e) === "password" ||
    /(^|\s)(current-password|new-password|cc-number|cc-csc|one-time-code)(\s|$)/.test(attribute(e, "autocomplete") ?? "");
  if (yes) everSecret.add(e);
  return yes;
}

export function isMasked(e: Element, s: Secrets): boolean {
  try { return s.mask !== "" && closest(e, s.mask) !== null; } catch { return false; }
}

// startsMask reports whether the element itself is one to be masked.
export function startsMask(e: Element, s: Secrets): boolean {
  try { return s.mask !== "" && matches(e, s.mask); } catch { return false; }
}

export function hide(text: string): string { return text.replace(/\S/g, bullet); }

export function hideAll(text: string): string { return bullet.repeat(text.length); }

// told are attributes that hold text which people read.
export const told = new Set(["value", "title", "alt", "aria-label", "aria-description", "aria-valuetext", "aria-roledescription", "label", "summary", "content", "data-value", "srcdoc"]);
