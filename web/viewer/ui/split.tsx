import type { JSX } from "preact";

interface Props { label: string; value: number; least: number; most: number; set: (v: number) => void; reverse?: boolean; horizontal?: boolean }

/** A line between two panels that can be moved by mouse and keys. */
export function Split({ label, value, least, most, set, reverse, horizontal }: Props): JSX.Element {
  const clamp = (v: number): number => Math.max(least, Math.min(most, Math.round(v)));
  const down = (e: PointerEvent): void => {
    const el = e.currentTarget as HTMLElement, from = horizontal ? e.clientY : e.clientX;
    el.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent): void => set(clamp(value + ((horizontal ? m.clientY : m.clientX) - from) * (reverse ? -1 : 1)));
    const up = (): void => { el.removeEventListener("pointermove", move); el.removeEventListener("pointerup", up); };
    el.addEventListener("pointermove", move);
    el.addEventListener("pointerup", up);
  };
  const key = (e: KeyboardEvent): void => {
    const step = e.key === (horizontal ? "ArrowDown" : "ArrowRight") ? 24 : e.key === (horizontal ? "ArrowUp" : "ArrowLeft") ? -24 : 0;
    if (step === 0) return;
    e.preventDefault();
    e.stopPropagation();
    set(clamp(value + step * (reverse ? -1 : 1)));
  };
  return <div class={`split ${horizontal ? "flat" : ""}`} role="separator" aria-orientation={horizontal ? "horizontal" : "vertical"} aria-label={label} aria-valuenow={Math.round(value)} aria-valuemin={least} aria-valuemax={most} tabIndex={0} onPointerDown={down} onKeyDown={key} />;
}
