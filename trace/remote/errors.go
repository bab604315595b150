package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrChanged is the cause of an error for a file that is not the one any more
// that was opened: what was read before and what is there now do not fit.
var ErrChanged error = changedError{}

type changedError struct{}

func (changedError) Error() string { return "the file at the address has changed since it was opened" }

// Hint says what to do about it.
func (changedError) Hint() string { return "open it again" }

var (
	errEmpty    = errors.New("the file is empty")
	errNoRanges = errors.New("the server does not serve ranges")
	errStalled  = errors.New("the server sends nothing any more")
	errExpired  = errors.New("the redirection has expired")
)

// StatusError is an answer that is none of the file.
type StatusError struct {
	URL    string // without query
	Status int
	after  time.Duration // when the server wants to be asked again
	far    bool          // the answer is of where the address redirects to
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: the server answers %d %s", e.URL, e.Status, http.StatusText(e.Status))
}

// Hint says what to do about it.
func (e *StatusError) Hint() string {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "the address may need a token (an Authorization header), or a signed address has expired: get a fresh one"
	case http.StatusNotFound, http.StatusGone:
		return "check the address; CI artifacts are removed after a while, and private ones are hidden without a token"
	}
	return "try again later, or download the file and open it"
}

// again reports whether the same request may be answered otherwise.
func (e *StatusError) again() bool {
	if e.far && e.Status == http.StatusForbidden {
		return true // a signature may last for a minute only
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
}

// NetworkError is for a server that is not reached, or stops in the middle.
type NetworkError struct {
	URL string // without query
	Err error
}

func (e *NetworkError) Error() string { return fmt.Sprintf("%s: %v", e.URL, withoutAddress(e.Err)) }
func (e *NetworkError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *NetworkError) Hint() string {
	return "check the address and the network, or download the file and open it"
}

// withoutAddress takes off the address that net/http puts before its errors,
// with all that may be secret in its query.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// Display returns an address without what may be secret in it: the user, and
// the query, in which signed addresses have their signature.
func Display(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if slash {
		path = "/" + path
	}
	return scheme + "://" + host + path
}
