// Package browser finds, installs and starts Chromium, and connects to one
// that runs.
//
//	b, err := browser.Launch(ctx, browser.Options{})
//	if err != nil {
//		return err
//	}
//	defer b.Close()
//	page, err := b.Rod.Page(proto.TargetCreateTarget{URL: "https://example.com"})
//
// A browser that was launched has a fresh profile, listens on the loopback
// address only, and ends with its program: when [Browser.Close] is called, or
// when the program dies without having been asked.
package browser
