package determinism

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// Session is a fresh browser context with a clock of its own and the pages in
// it. Except for Close its methods, and those of its pages, must be called one
// at a time. Close it.
type Session struct {
	// Context is the browser's name of the context.
	Context string
	b       *Browser
	o       SessionOptions
	time    clock
	net     traffic
	working workers
	arrived chan *Page
	done    chan struct{}
	closing sync.Once
	busy    sync.WaitGroup
	opening atomic.Int32 // pages that are being set up
	making  atomic.Int32 // and those that the driver asked for
	pace    pace

	mu      sync.Mutex
	pages   []*Page
	dialogs int // since the last step of the driver
	failed  error
	remarks []Remark
	shared  []string // scripts that came of what others told
	windows []string // addresses of windows that are about to be opened
}

// NewSession makes a session with one page, which shows nothing.
func (b *Browser) NewSession(ctx context.Context, o SessionOptions) (*Session, error) {
	o.settle()
	s := &Session{b: b, o: o, arrived: make(chan *Page, 64), done: make(chan struct{})}
	s.time.expired = make(chan struct{}, 1<<20) // each that was cut short tells its end too, all at once; it takes no room
	s.net.init(s)
	var made struct {
		ID string `json:"browserContextId"`
	}
	params := object{"disposeOnDetach": true}
	if o.Proxy != "" {
		params["proxyServer"], params["proxyBypassList"] = "http://"+o.Proxy, "<-loopback>"
	}
	if err := b.call(ctx, "", "Target.createBrowserContext", params, &made); err != nil {
		return nil, err
	}
	s.Context = made.ID
	b.mu.Lock()
	b.sessions[s.Context] = s
	b.mu.Unlock()
	s.busy.Add(1)
	go func() { defer s.busy.Done(); s.net.serve() }()
	if _, err := s.NewPage(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.startClock(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// NewPage opens another page, as a program does that asks for one.
func (s *Session) NewPage(ctx context.Context) (*Page, error) {
	params := object{"url": "about:blank", "browserContextId": s.Context, "width": s.o.Width, "height": s.o.Height}
	if s.b.Regime == Frames {
		params["enableBeginFrameControl"] = true
	}
	s.making.Add(1)
	defer s.making.Add(-1)
	var made struct {
		ID string `json:"targetId"`
	}
	if err := s.b.call(ctx, "", "Target.createTarget", params, &made); err != nil {
		return nil, err
	}
	return s.await(ctx, made.ID)
}

// await returns the page of a target once it is set up.
func (s *Session) await(ctx context.Context, target string) (*Page, error) {
	limit := time.After(patience)
	for {
		for _, p := range s.Pages() {
			if p.target == target {
				select {
				case <-p.ready:
					return p, p.setupErr
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-limit:
					return nil, errorf("E_PAGE_GONE", "the new page did not come up within %v", patience)
				}
			}
		}
		select {
		case <-s.arrived:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit:
			return nil, errorf("E_PAGE_GONE", "the new page did not come within %v", patience)
		case <-s.b.Done():
			return nil, s.b.Err()
		}
	}
}

// Pages returns the pages that are open, oldest first.
func (s *Session) Pages() []*Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Page
	for _, p := range s.pages {
		if !p.gone {
			list = append(list, p)
		}
	}
	return list
}

// Page returns the oldest page that is open, or nil if none is.
func (s *Session) Page() *Page {
	if list := s.Pages(); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Now is how much time has passed in the session, by its own clock.
func (s *Session) Now() time.Duration { return time.Duration(s.time.now * float64(time.Millisecond)) }

// Pending returns the addresses of requests that are not answered yet.
func (s *Session) Pending() []string { return s.net.pending() }

// Close lets go of the session and everything in it.
func (s *Session) Close() {
	s.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		close(s.done)
		_ = s.b.call(ctx, "", "Target.disposeBrowserContext", object{"browserContextId": s.Context}, nil)
		s.busy.Wait()
		s.b.mu.Lock()
		delete(s.b.sessions, s.Context)
		for k, v := range s.b.targets {
			if v == s {
				delete(s.b.targets, k)
			}
		}
		s.b.mu.Unlock()
	})
}

// background runs do in the background; Close waits for it.
func (s *Session) background(do func()) {
	select {
	case <-s.done:
		return
	default:
	}
	s.busy.Add(1)
	go func() { defer s.busy.Done(); do() }()
}

// ctx is for commands that nobody waits for: it ends with the session.
func (s *Session) ctx() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	stop := make(chan struct{})
	go func() {
		select {
		case <-s.done:
		case <-stop:
		}
		cancel()
	}()
	var once sync.Once
	return ctx, func() { once.Do(func() { close(stop) }) }
}

func (s *Session) attached(session string, info *proto.TargetTargetInfo, root bool) {
	switch info.Type {
	case "worker", "shared_worker", "service_worker":
		if info.Type == "shared_worker" {
			s.remark("W_SHARED_WORKER", "requests and messages of the shared worker %s are not recorded", info.URL)
		}
		s.background(func() { s.startWorker(session, string(info.TargetID), string(info.Type), info.URL) })
	case "page":
		if root {
			p := newPage(s, session, string(info.TargetID), string(info.OpenerID))
			s.mu.Lock()
			s.pages = append(s.pages, p)
			s.mu.Unlock()
			s.opening.Add(1)
			own := p.opener == "" && s.making.Load() > 0
			if !own {
				p.window()
			}
			s.background(func() { defer s.opening.Add(-1); s.open(p, own); s.arrived <- p })
			return
		}
		fallthrough
	default:
		s.background(func() {
			ctx, cancel := s.ctx()
			defer cancel()
			_ = s.b.call(ctx, session, "Runtime.runIfWaitingForDebugger", nil, nil)
		})
	}
}

// open makes a page ready that the driver asked for, or another page.
func (s *Session) open(p *Page, own bool) {
	p.setUp()
	if own || !s.virtual() {
		return
	}
	ctx, cancel := s.ctx()
	defer cancel()
	p.asks(ctx)
}

func (s *Session) crashed(target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages {
		if p.target == target && !p.gone {
			p.gone = true
			s.failed = errorf("E_PAGE_CRASHED", "the page %s has crashed", p.URL())
			close(p.left)
		}
	}
}

// Err is why the session cannot go on, or nil.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

func (s *Session) page(session string) *Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages {
		if p.session == session {
			return p
		}
	}
	return nil
}

// hear deals with an event of one of the session's pages or workers. It must
// not wait.
func (s *Session) hear(m *rod.Message) {
	session := string(m.SessionID)
	switch m.Method {
	case "Debugger.paused":
		if p := s.page(session); p != nil {
			p.held()
			s.background(p.halt)
		} else {
			s.working.stopped(session, &s.net)
		}
	case "Target.detachedFromTarget":
		var e proto.TargetDetachedFromTarget
		if m.Load(&e) {
			s.detached(string(e.SessionID))
		}
	case "Inspector.targetCrashed":
		if p := s.page(session); p != nil {
			s.crashed(p.target)
		}
	case "Runtime.bindingCalled":
		s.told(m)
		if p := s.page(session); p != nil {
			p.hear(m)
		}
	default:
		if s.net.hear(m) {
			return
		}
		if p := s.page(session); p != nil {
			p.hear(m)
		}
	}
}

func (s *Session) detached(session string) {
	s.working.gone(session)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages {
		if p.session == session && !p.gone {
			p.gone = true
			close(p.left)
		}
	}
}

func (s *Session) log(format string, args ...any) {
	s.b.o.Log("clock %.1f ms: %s", s.time.read(), fmt.Sprintf(format, args...))
}
