// Package determinism makes Chromium do the same again: random numbers, the
// clock, timers, frames, workers and the order of answers are given by the
// driver, so that the same input leads to the same picture, to the last pixel.
//
//	b, err := determinism.Start(ctx, determinism.Options{})
//	if err != nil {
//		return err
//	}
//	defer b.Close()
//	s, err := b.NewSession(ctx, determinism.DefaultSession())
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	if err := s.Page().Navigate(ctx, "https://example.com"); err != nil {
//		return err
//	}
//	png, err := s.Page().Picture(ctx)
//
// How that is done depends on the browser; see [Regime]. Pictures of different
// regimes are not to be compared.
package determinism
