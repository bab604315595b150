// Package cdp records what happens in a Chromium over the DevTools Protocol:
// pages and their frames, popups and workers, requests with their bodies,
// messages of the console, errors, dialogs, downloads, pictures, DOM snapshots
// and what the user does.
//
// It speaks on a connection of its own and in sessions of its own, so that
// whoever drives the browser (rod, Playwright, Puppeteer, Selenium, a person)
// is not disturbed. What it learns goes to a [Sink] in one order and on one clock.
package cdp
