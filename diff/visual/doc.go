// Package visual compares two screenshots: how many pixels differ by a published metric, which of them are only
// anti-aliasing, which rows moved, and which boxes really changed.
//
// The counts are those of pixelmatch, to the pixel: [Pixelmatch7] those of its release 7.2.0, [Pixelmatch5] those of the
// 5.x line that Playwright bundles, and [OKLab] those of its unreleased successor. Pictures are read a row at a time,
// so that memory grows with their width and not with their area, and nothing is decoded that equal bytes have settled.
package visual
