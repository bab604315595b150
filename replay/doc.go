// Package replay performs a recorded session again in Chromium and records
// what happens as a new trace.
//
//	a, err := trace.Open(ctx, "login.zip", trace.Options{})
//	if err != nil {
//		return err
//	}
//	defer a.Close()
//	o := replay.DefaultOptions("again.zip")
//	o.URL = "http://localhost:3000"
//	report, err := replay.Run(ctx, a, o)
//
// It needs nothing but the trace: the actions that this recorder, Playwright
// or Vibium wrote are carried out by real input events, and assertions are
// checks. Clock, random numbers and frames are given by package determinism,
// so that each replay of the same app gives the same pictures.
package replay
