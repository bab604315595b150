import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { app } from "../model/app";

/** Keeps the focus inside while open, and gives it back after. */
export function Dialog({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current!.showModal();
    return () => before?.focus();
  }, []);
  return <dialog ref={ref} aria-label={label} onCancel={(e) => { e.preventDefault(); app.set({ dialog: "" }); }} onClick={(e) => { if (e.target === ref.current) app.set({ dialog: "" }); }}>{children}</dialog>;
}
