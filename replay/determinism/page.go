package determinism

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Page is a tab or a popup of a session.
type Page struct {
	s        *Session
	session  string // the browser's name of ours with it
	target   string
	opener   string
	given    *string       // the address it was opened with, under the session's lock
	ready    chan struct{} // closed when it is set up
	left     chan struct{} // closed when it is gone
	gone     bool          // under the session's lock
	setupErr error

	mu       sync.Mutex
	url      string
	contexts map[string]string // a frame's main world, by the frame's id
	worlds   map[string]string // a frame's world of ours
	numbers  map[string]int    // of worlds, which some commands want
	frames   map[string]*Frame
	scripted map[string]bool // worlds that have the driver's script
	loads    int
	begins   int             // how many documents have told when they began
	rest     float64         // what is left of half a millisecond, by what the last of them told
	aligned  [2]int          // for which loads and begins off is
	off      float64         // by how many ms frames are behind the clock
	latest   float64         // the time of the frame that was made last
	chooser  int             // the node that asked for files last
	drag     json.RawMessage // what is being dragged
	pressed  bool            // the mouse has not moved since a button was pressed
	barriers map[int]*way
	halts    int                // how often a debugger has held a script
	freed    int                // and how often that was let go on
	going    chan struct{}      // closed when that is so, nil where none is held
	asked    int                // how many barriers there were
	still    bool               // the last turn that was waited for did not come
	stillAt  float64            // and at which time of the session that was
	outside  map[work]time.Time // what its realms do outside of their thread, and since when
	travels  []int              // how it wants to go in its history
	ways     int                // how often something was sent by way of the browser
	ended    bool               // something that was done outside has ended since the page was last heard
	moves    int                // how often the mouse was heard to have moved
	fresh    bool               // a document of it has begun
	framed   bool               // and has heard of a frame
}

func newPage(s *Session, session, target, opener string) *Page {
	return &Page{s: s, session: session, target: target, opener: opener, ready: make(chan struct{}), left: make(chan struct{}),
		contexts: map[string]string{}, worlds: map[string]string{}, numbers: map[string]int{}, outside: map[work]time.Time{}, scripted: map[string]bool{}, frames: map[string]*Frame{}}
}

// Target is the browser's id of the page.
func (p *Page) Target() string { return p.target }

// Opener is the target of the page that opened this one, or "".
func (p *Page) Opener() string { return p.opener }

// Session is the browser's name of the protocol session in which the page is
// driven.
func (p *Page) Session() string { return p.session }

// URL is the address of the page.
func (p *Page) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.url
}

// Loads counts how many documents the page has had.
func (p *Page) Loads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loads
}

func (p *Page) closed() bool {
	select {
	case <-p.left:
		return true
	default:
		return false
	}
}

// Closed reports whether the page is gone.
func (p *Page) Closed() bool { return p.closed() }

func (p *Page) call(ctx context.Context, method string, params, result any) error {
	return p.answer(ctx, p.s.b.ask(p.session, method, params), result)
}

// answer waits for the answer to a command that was given to the page.
func (p *Page) answer(ctx context.Context, a asked, result any) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-p.left: // it does not answer any more
			cancel(errorf("E_PAGE_GONE", "the page %s is gone", p.URL()))
		case <-ctx.Done():
		}
	}()
	err := p.s.b.answer(ctx, a, result)
	if err != nil && strings.Contains(err.Error(), "Session with given id not found") {
		p.s.detached(p.session) // the event that tells it comes by another way
	}
	return err
}

// Call gives the page a command of the browser's protocol.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	if err := p.call(ctx, method, params, result); err != nil {
		return p.s.gone(p, err)
	}
	return nil
}

// ChooseFiles answers the last file chooser that the page has opened.
func (p *Page) ChooseFiles(ctx context.Context, paths []string) error {
	p.mu.Lock()
	node := p.chooser
	p.mu.Unlock()
	if node == 0 {
		return errorf("E_NO_CHOOSER", "the page %s has not asked for files", p.URL())
	}
	if paths == nil {
		paths = []string{}
	}
	return p.Call(ctx, "DOM.setFileInputFiles", object{"backendNodeId": node, "files": paths}, nil)
}

// Coverage returns what the browser counted since the page was opened, as its
// protocol tells it. The session must have been asked for it.
func (p *Page) Coverage(ctx context.Context) (json.RawMessage, error) {
	var r struct{ Result json.RawMessage }
	err := p.Call(ctx, "Profiler.takePreciseCoverage", nil, &r)
	return r.Result, err
}

// Close closes the page.
func (p *Page) Close(ctx context.Context) error {
	if err := p.s.b.call(ctx, "", "Target.closeTarget", object{"targetId": p.target}, nil); err != nil {
		return err
	}
	for i := 0; i < 100; i++ {
		select {
		case <-p.left:
			return nil
		case <-time.After(20 * time.Millisecond):
		}
		if err := p.s.advance(ctx, 17); err != nil && !p.closed() { // what it does on leaving may take time
			return err
		}
	}
	return errorf("E_PAGE_GONE", "the page %s does not close", p.URL())
}
