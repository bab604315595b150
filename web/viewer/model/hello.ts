// The page's first message, which is all that is said before the viewer's own
// script is there: packed by hand, since the packer comes with that script.

/** The version of the messages. */
export const VERSION = 2;

/** The ref of the trace that the hello opens. */
export const FIRST = 1;

/** Brings the token, and opens a trace by the beginning of its id; "" is whichever the server begins with, undefined none. */
export function hello(token: string, wanted: string | undefined): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(0x95, ...string("hello"), wanted === undefined ? 0 : FIRST, VERSION, ...string(token), ...string(wanted ?? ""));
}

/** A msgpack string of less than 256 bytes. */
function string(text: string): number[] {
  const bytes = new TextEncoder().encode(text).subarray(0, 255);
  return [0xd9, bytes.length, ...bytes];
}
