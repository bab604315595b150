import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import { Dialog } from "./dialog";
import { saveAsPage } from "./save";

/** Asks what goes into the file that a trace, or a comparison, is saved as. */
export function SaveDialog(): JSX.Element {
  const [secrets, setSecrets] = useState(false);
  const [pictures, setPictures] = useState(true);
  const c = app.comparison;
  const go = (e: Event): void => {
    e.preventDefault();
    app.set({ dialog: "" });
    const [a, b] = c ? [c.a.id, c.b.id] : [app.trace?.id, undefined];
    if (a) void saveAsPage(a, b, { redact: !secrets, pictures });
  };
  return (
    <Dialog label="Save as one file">
      <form class="addressform" onSubmit={go}><h2>Save {c ? "the comparison" : "the trace"} as one HTML file</h2>
        <p class="dim">It opens from a disk, without a server or a network, and nothing that was recorded runs in it.</p>
        <label class="check"><input type="checkbox" checked={secrets} onChange={(e) => setSecrets(e.currentTarget.checked)} /> <span>Keep secrets: passwords, cookies, authorization headers and tokens, as far as they were recorded</span></label>
        <label class="check"><input type="checkbox" checked={pictures} onChange={(e) => setPictures(e.currentTarget.checked)} /> <span>Keep screenshots, in which anything may show</span></label>
        <div class="formfoot"><button class="btn" type="button" onClick={() => app.set({ dialog: "" })}>Cancel</button><button class="btn primary" type="submit" autofocus>Save</button></div></form>
    </Dialog>
  );
}
