package content_test

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/launcher/flags"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/viewer/content"
)

const (
	token = "0123456789abcdef0123456789abcdef"
	id    = "t1"
)

// served is a trace behind a content server.
type served struct {
	a     *trace.Archive
	t     *trace.Trace
	store *snapshot.Store
	url   string // with a slash at the end
	// reading makes as if the trace were still being read.
	reading bool
}

func serve(t testing.TB, path string, o content.Options) *served {
	t.Helper()
	a, tr := tracetest.OpenLoad(t, path)
	s := &served{a: a, t: tr, store: snapshot.FromTrace(a, tr)}
	ct := &content.Trace{ID: id, Token: token, Archive: a,
		Snapshots: func(context.Context) (*snapshot.Store, error) { return s.store, nil },
		Complete:  func() bool { return !s.reading }}
	h := content.New(func(name string) (*content.Trace, bool) { return ct, name == id }, o)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s.url = server.URL + ct.Path()
	return s
}

func corpus(elem ...string) string {
	return filepath.Join(append([]string{"../../testdata/corpus"}, elem...)...)
}

// chromium starts a browser that the test owns.
func chromium(t testing.TB) *rod.Browser {
	t.Helper()
	bin := ""
	for _, name := range []string{os.Getenv("TRACEDECK_BROWSER"), "chromium-headless-shell", "chromium", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			bin = found
			break
		}
	}
	if bin == "" {
		t.Fatal("these tests need Chromium: apt-get install chromium")
	}
	l := launcher.New().Bin(bin).Leakless(false).NoSandbox(true).UserDataDir(t.TempDir())
	for _, f := range []flags.Flag{"disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		l = l.Set(f)
	}
	address, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	b := rod.New().ControlURL(address).NoDefaultDevice()
	if err := b.Connect(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.Close()
		l.Kill()
		<-exited(l)
	})
	return b
}

func exited(l *launcher.Launcher) chan struct{} {
	done := make(chan struct{})
	go func() { l.Cleanup(); close(done) }()
	return done
}
