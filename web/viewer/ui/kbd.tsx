import type { JSX } from "preact";
import { keyOf } from "../model/keys";

/** The key of a command, where it has one. */
export function Kbd({ of }: { of: string }): JSX.Element | null {
  const name = keyOf(of);
  return name === "" ? null : <kbd>{name}</kbd>;
}
