import type { JSX } from "preact";

const PATHS: Record<string, string> = {
  navigate: "M2 7h9M7.5 3.5 11 7l-3.5 3.5",
  click: "M4 2.5 11 7l-3.2.8L6 11z",
  type: "M3 3h8M7 3v8M5 11h4",
  check: "M2.5 7.5 5.5 10.5 11.5 3.5",
  wait: "M7 2.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6M7 4.2V7l2 1.4",
  expect: "M2.5 7.5 5.5 10.5 11.5 3.5",
  picture: "M2 3.5h10v7H2zM2 9l3-2.5L7.5 9 9.5 7.5 12 9.5",
  code: "M4.5 4 1.8 7l2.7 3M9.5 4l2.7 3-2.7 3",
  hook: "M7 2v6a2.5 2.5 0 1 1-5 0",
  step: "M7 2.5 11.5 7 7 11.5 2.5 7z",
  wire: "M2 5h7L7 3M12 9H5l2 2",
  page: "M3 2h6l2 2v8H3zM9 2v2h2",
  fail: "M3.5 3.5l7 7M10.5 3.5l-7 7",
  close: "M3.5 3.5l7 7M10.5 3.5l-7 7",
  lock: "M3 6h8v6H3zM4.8 6V4.4a2.2 2.2 0 0 1 4.4 0V6",
  search: "M6.2 2.5a3.7 3.7 0 1 1 0 7.4 3.7 3.7 0 0 1 0-7.4M9 9l3 3",
  link: "M5.8 8.2 8.2 5.8M6.5 4.5 8 3a2.4 2.4 0 0 1 3.4 3.4L9.8 8M7.5 9.5 6 11a2.4 2.4 0 0 1-3.4-3.4L4.2 6",
  help: "M5 5.2a2 2 0 1 1 2.6 1.9c-.5.2-.6.5-.6 1.2M7 10.6v.4",
  copy: "M5 5h6v7H5zM3 9V2h6",
  dock: "M2 2.5h10v9H2zM2 8.5h10M7 4v3M5.6 5.8 7 7.2l1.4-1.4",
  pin: "M5 2h4M5.6 2v3.6L4 7.6h6L8.4 5.6V2M7 7.6V12",
  group: "M2 3.5h4l1 1.5h5v6H2z",
};

export function Icon({ name, class: c }: { name: string; class?: string }): JSX.Element {
  return <svg class={`icon ${c ?? ""}`} viewBox="0 0 14 14" aria-hidden="true"><path d={PATHS[name] ?? PATHS["step"]} /></svg>;
}

/** What kind of thing an action does. */
export function iconOf(cls: string, method: string, kind: number): string {
  if (kind === 1) return "group";
  if (kind === 3) return "hook";
  if (kind === 4) return "wire";
  const m = method.toLowerCase();
  if (/goto|navigate|goback|goforward|reload/.test(m)) return "navigate";
  if (/expect|assert/.test(m)) return "expect";
  if (/click|tap|hover|drag|mouse|dispatchevent/.test(m)) return "click";
  if (/fill|type|press|insert|keyboard|clear|setinputfiles/.test(m)) return "type";
  if (/check|select/.test(m)) return "check";
  if (/wait/.test(m)) return "wait";
  if (/screenshot|pdf/.test(m)) return "picture";
  if (/eval|script|function/.test(m)) return "code";
  if (/newpage|page|context|launch|browser/.test(m) || cls === "BrowserContext" || cls === "Browser") return "page";
  return "step";
}
