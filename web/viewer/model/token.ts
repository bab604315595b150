// The key to the server. The launch link brings it, and the browser keeps it.

const KEY = "tracedeck-token";

/** The token of a launch link, and what its address has behind the # without it. */
export function launchToken(hash: string): { token: string; rest: string } | undefined {
  const m = /^#token=([0-9a-zA-Z_-]{8,128})(?:&(.*))?$/.exec(hash);
  return m ? { token: m[1], rest: m[2] ? `#${m[2]}` : "" } : undefined;
}

export const tokenKept = (): string => localStorage.getItem(KEY) ?? "";

/** Keeps the token that the address brings and takes it out of that, so that copied links hold no secret. */
export function token(): string {
  const launch = launchToken(location.hash);
  if (!launch) return tokenKept();
  localStorage.setItem(KEY, launch.token);
  history.replaceState(null, "", location.pathname + launch.rest);
  return launch.token;
}
