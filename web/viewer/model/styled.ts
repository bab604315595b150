// What console.log("%c…", css) says, as the browser's own tools show it.

/** A stretch of text, and the few properties of its style that can do no harm. */
export interface Run { text: string; style: Record<string, string> }

export interface Argument { preview?: string; value?: unknown }

const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl)a?\([\d\s.,%/deg]{1,60}\))$/i;
const ALLOWED: Record<string, { as: string; value: RegExp }> = {
  "color": { as: "color", value: COLOUR },
  "background": { as: "backgroundColor", value: COLOUR },
  "background-color": { as: "backgroundColor", value: COLOUR },
  "font-weight": { as: "fontWeight", value: /^(?:bold|bolder|lighter|normal|[1-9]00)$/i },
  "font-style": { as: "fontStyle", value: /^(?:italic|oblique|normal)$/i },
  "text-decoration": { as: "textDecoration", value: /^(?:underline|line-through|none)$/i },
};

/** The properties of a style that are let through: none that loads, moves or hides anything. */
export function safe(css: string): Record<string, string> {
  const style: Record<string, string> = {};
  for (const part of css.slice(0, 2000).split(";")) {
    const at = part.indexOf(":");
    const rule = at > 0 ? ALLOWED[part.slice(0, at).trim().toLowerCase()] : undefined;
    const value = part.slice(at + 1).trim();
    if (rule?.value.test(value) && value !== "transparent") style[rule.as] = value;
  }
  return style;
}

const textOf = (a: Argument | undefined): string => (typeof a?.value === "string" ? a.value : a?.preview ?? (a?.value === undefined ? "" : typeof a.value === "object" ? JSON.stringify(a.value) : String(a.value)));

/** The message as stretches of one style; nothing where it has no style. */
export function styled(args: Argument[] | undefined): Run[] | undefined {
  const format = args?.[0]?.value;
  if (!args || typeof format !== "string" || !format.includes("%c")) return undefined;
  const runs: Run[] = [{ text: "", style: {} }];
  let next = 1, from = 0;
  const say = (text: string): void => { runs.at(-1)!.text += text; };
  for (const m of format.matchAll(/%([csdifoO%])/g)) {
    if (m[1] !== "%" && next >= args.length) continue; // stays as it is
    say(format.slice(from, m.index));
    from = m.index + 2;
    if (m[1] === "%") say("%");
    else if (m[1] === "c") runs.push({ text: "", style: safe(textOf(args[next++])) });
    else say(textOf(args[next++]));
  }
  say(format.slice(from));
  const rest = args.slice(next).map(textOf);
  if (rest.length > 0) runs.push({ text: ` ${rest.join(" ")}`, style: {} });
  return runs.filter((r) => r.text !== "");
}
