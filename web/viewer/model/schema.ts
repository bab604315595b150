// What the numbers in the tables mean. It mirrors package trace/index.

export const Kind = { call: 0, group: 1, step: 2, hook: 3, protocol: 4 } as const;

export const Flag = {
  failed: 1, unfinished: 2, getter: 4, route: 8, configuration: 16, before: 32, action: 64, after: 128,
  still: 256, input: 512, attachment: 1024, step: 2048, call: 4096, skipped: 8192,
} as const;

/** Actions that lists leave out until asked. */
export const HIDDEN = Flag.getter | Flag.route | Flag.configuration;

export const Req = { failed: 1, pending: 2, aborted: 4, fulfilled: 8, continued: 16, socket: 32, api: 64, worker: 128 } as const;

export const Phase = { none: 0, before: 1, during: 2, after: 3 } as const;

export const Still = { screenshot: 0, aria: 1 } as const;

export const ErrorSource = { action: 0, page: 1, test: 2 } as const;

export const MAIN_FRAME = 1;

export const Point = { point: 1, box: 2 } as const;

export const NONE = -1;
