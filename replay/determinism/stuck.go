package determinism

import (
	"context"
	"fmt"
	"time"
)

// stuck says why time does not pass: the page works without an end, or waits
// for a request.
func (s *Session) stuck(why error) error {
	if failed := s.Err(); failed != nil {
		return failed // that is why
	}
	e := &Error{Code: "E_TIME_STUCK", Err: why, Pending: s.Pending()}
	ctx, cancel := context.WithTimeout(context.Background(), s.pace.of(2*time.Second))
	defer cancel()
	if p := s.Page(); p != nil && p.call(ctx, "Runtime.evaluate", object{"expression": "1"}, nil) != nil && ctx.Err() != nil {
		e.Code, e.Err = "E_PAGE_BUSY", fmt.Errorf("a script of the page does not come to an end: %v", why) // whatever limit was reached
	} else if len(e.Pending) > 0 {
		e.Err = fmt.Errorf("%w; waiting for %v", why, e.Pending)
	}
	s.fail(e)
	return e
}

func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

// gone says why a page that was given a command is not there any more.
func (s *Session) gone(p *Page, err error) error {
	select {
	case <-s.b.Done():
		if gone := s.b.Err(); gone != nil {
			return gone
		}
	default:
	}
	if failed := s.Err(); failed != nil {
		return failed
	}
	select {
	case <-p.left:
		return errorf("E_PAGE_GONE", "the page %s was closed", p.URL())
	default:
		return err
	}
}
