import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { app } from "../model/app";

/**
 * Draws the component again when anything changed, or, with `of`, when one of
 * the things it names did: zooming must not draw the lists again.
 */
export function useApp(of?: () => unknown[]): typeof app {
  const [, again] = useReducer<number, void>((n: number) => n + 1, 0);
  const drawn = useRef<{ of: typeof of; seen: unknown[] | undefined; changes: number }>(undefined);
  drawn.current = { of, seen: of?.(), changes: app.changes };
  useLayoutEffect(() => {
    const look = (): void => {
      const { of, seen } = drawn.current!, now = of?.();
      if (!now || !seen || now.length !== seen.length || now.some((v, i) => v !== seen[i])) again();
    };
    if (drawn.current!.changes !== app.changes) look(); // what changed since it was drawn told nobody here
    return app.subscribe(look);
  }, []);
  return app;
}

/** The size of an element, kept up to date. */
export function useSize<T extends HTMLElement>(): [preact.RefObject<T | null>, number, number] {
  const ref = useRef<T>(null);
  const [size, setSize] = useState<[number, number]>([0, 0]);
  useLayoutEffect(() => {
    const el = ref.current!;
    const measure = (): void => setSize((old) => (old[0] === el.clientWidth && old[1] === el.clientHeight ? old : [el.clientWidth, el.clientHeight]));
    measure();
    const o = new ResizeObserver(measure);
    o.observe(el);
    return () => o.disconnect();
  }, []);
  return [ref, size[0], size[1]];
}

/** The width of the window in CSS pixels, kept up to date. */
export function useWindowWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const measure = (): void => setWidth(innerWidth);
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return width;
}

const cache = new Map<string, Promise<unknown>>();

/** What the server answers, remembered as long as the key is the same. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): { value?: T; error?: string } {
  const [got, setGot] = useState<{ key: string; value?: T; error?: string }>({ key: "" });
  useEffect(() => {
    if (key === "") return;
    let here = true;
    let answer = cache.get(key) as Promise<T> | undefined;
    if (!answer) {
      answer = ask();
      cache.set(key, answer);
      if (cache.size > 200) cache.delete(cache.keys().next().value!);
      answer.catch(() => cache.delete(key));
    }
    answer.then((value) => { if (here) setGot({ key, value }); }, (e: { text?: string }) => { if (here) setGot({ key, error: e.text ?? String(e) }); });
    return () => { here = false; };
  }, [key]);
  return got.key === key ? got : {};
}
