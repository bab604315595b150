package inject

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
)

var shared struct {
	once sync.Once
	b    *browser.Browser
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.b != nil {
		if err := shared.b.Close(); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}

// frame is a page with the script in a world of its own.
type frame struct {
	t     testing.TB
	page  *rod.Page
	world proto.RuntimeExecutionContextID
}

// serve serves documents by path; others are empty.
func serve(t testing.TB, documents map[string]string, headers ...string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := "text/html; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".css") {
			kind = "text/css"
		}
		w.Header().Set("Content-Type", kind)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		_, _ = w.Write([]byte(documents[r.URL.Path]))
	}))
	t.Cleanup(s.Close)
	return s
}

// open opens a document with the script.
func open(t testing.TB, o Options, html string, headers ...string) *frame {
	t.Helper()
	s := serve(t, map[string]string{"/": html, "/style.css": ".linked { color: teal }\n.other { color: red }"}, headers...)
	return visit(t, o, s.URL)
}

func visit(t testing.TB, o Options, address string) *frame {
	t.Helper()
	shared.once.Do(func() { shared.b, shared.err = browser.Launch(context.Background(), browser.Options{}) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	page, err := shared.b.Rod.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = page.Close() })
	f := &frame{t: t, page: page}
	page.MustNavigate(address).MustWaitLoad()
	f.inject(World, o)
	return f
}

// inject makes a world with the script in the frame that is there now.
func (f *frame) inject(name string, o Options) proto.RuntimeExecutionContextID {
	f.t.Helper()
	r, err := proto.PageCreateIsolatedWorld{FrameID: f.page.FrameID, WorldName: name}.Call(f.page)
	if err != nil {
		f.t.Fatal(err)
	}
	f.world = r.ExecutionContextID
	f.in(f.world, o.Script(), nil)
	return f.world
}

// in evaluates an expression in a world and reads its value.
func (f *frame) in(world proto.RuntimeExecutionContextID, expression string, to any) {
	f.t.Helper()
	r, err := proto.RuntimeEvaluate{Expression: expression, ContextID: world, ReturnByValue: true, AwaitPromise: true}.Call(f.page)
	if err != nil {
		f.t.Fatal(err)
	}
	if r.ExceptionDetails != nil {
		f.t.Fatalf("%.200s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if to == nil {
		return
	}
	data, err := r.Result.Value.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		f.t.Fatalf("%.200s: %v", expression, err)
	}
}

// do evaluates an expression in the world of the page itself.
func (f *frame) do(expression string) string {
	f.t.Helper()
	r, err := proto.RuntimeEvaluate{Expression: expression, ReturnByValue: true, AwaitPromise: true}.Call(f.page)
	if err != nil {
		f.t.Fatal(err)
	}
	if r.ExceptionDetails != nil {
		f.t.Fatalf("%.200s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value.Str()
}

// shoot takes a snapshot.
func (f *frame) shoot() Snapshot {
	f.t.Helper()
	return f.shootIn(f.world)
}

func (f *frame) shootIn(world proto.RuntimeExecutionContextID) Snapshot {
	f.t.Helper()
	var text string
	f.in(world, "JSON.stringify(__deck.snapshot())", &text)
	var s Snapshot
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		f.t.Fatal(err)
	}
	return s
}

// history expands snapshots by the rules of the format.
type history struct {
	t     testing.TB
	trees []any
	nodes [][]any
}

func (h *history) add(s Snapshot) string {
	h.t.Helper()
	var tree any
	if err := json.Unmarshal(s.HTML, &tree); err != nil {
		h.t.Fatal(err)
	}
	h.trees = append(h.trees, tree)
	h.nodes = append(h.nodes, nil)
	last := len(h.nodes) - 1
	h.number(tree, last)
	data, err := json.Marshal(h.expand(tree, last, 0))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

// number lists the nodes of a snapshot: children before their parent, without references.
func (h *history) number(n any, at int) {
	if list, ok := n.([]any); ok {
		if reference(list) != nil {
			return
		}
		for _, c := range list[min(2, len(list)):] {
			h.number(c, at)
		}
	}
	h.nodes[at] = append(h.nodes[at], n)
}

func reference(list []any) []any {
	if len(list) == 1 {
		if r, ok := list[0].([]any); ok {
			return r
		}
	}
	return nil
}

func (h *history) expand(n any, at, depth int) any {
	h.t.Helper()
	list, ok := n.([]any)
	if !ok || depth > 2000 {
		return n
	}
	if r := reference(list); r != nil {
		age, index := int(r[0].(float64)), int(r[1].(float64))
		if at-age < 0 || index >= len(h.nodes[at-age]) {
			h.t.Fatalf("snapshot %d refers to node %d of the one %d before, which is not there", at, index, age)
		}
		return h.expand(h.nodes[at-age][index], at-age, depth+1)
	}
	out := append([]any(nil), list[:min(2, len(list))]...)
	for _, c := range list[min(2, len(list)):] {
		out = append(out, h.expand(c, at, depth+1))
	}
	return out
}
