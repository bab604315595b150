import { type Stage } from "./stage";

interface NavigateEvent extends Event { navigationType: string; userInitiated: boolean; destination: { url: string; sameDocument: boolean } }

// watchSteps reports addresses that people go to without leaving the document:
// back, forward, and typed ones. What links and scripts do is told as what was
// clicked.
export function watchSteps(s: Stage): void {
  const navigation = (window as { navigation?: EventTarget }).navigation;
  if (window !== top) return;
  navigation?.addEventListener("navigate", event => {
    const e = event as NavigateEvent;
    if (!e.isTrusted || !e.userInitiated || !e.destination.sameDocument || s.answers) return;
    if (e.navigationType === "traverse") s.act(e, null, "goToHistoryEntry", { url: e.destination.url }, { class: "Page", title: "Go back or forward" });
    else if (e.navigationType === "push" || e.navigationType === "replace") s.act(e, null, "goto", { url: e.destination.url });
  });
}
