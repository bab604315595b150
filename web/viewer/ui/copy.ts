import { app } from "../model/app";

/** Puts text on the clipboard, over plain http as well. */
export function copy(text: string, what: string): void {
  const done = (): void => app.say(`Copied: ${what}`);
  const plan = (): void => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "spoken";
    document.body.append(area);
    area.select();
    const ok = document.execCommand("copy"); // the only way where the page is no secure context
    area.remove();
    if (ok) done(); else app.say("The browser does not let the page copy");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, plan);
  else plan();
}
