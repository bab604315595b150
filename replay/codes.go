package replay

import (
	"errors"

	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/replay/determinism"
)

func codeOfOthers(err error) string {
	var d *determinism.Error
	var b *browser.Error
	switch {
	case errors.As(err, &d):
		return d.Code
	case errors.As(err, &b):
		return b.Code
	case err != nil:
		return "E_REPLAY"
	}
	return ""
}

// fatal reports whether a session cannot go on after the error.
func fatal(err error) bool {
	switch CodeOf(err) {
	case "E_TIME_STUCK", "E_PAGE_BUSY", "E_PAGE_CRASHED", "E_DIALOG_LOOP", "E_BROWSER_GONE", "E_SESSION_LIMIT":
		return true
	}
	return false
}
