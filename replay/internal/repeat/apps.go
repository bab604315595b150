package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// step is what is done in an app: a method of Playwright's and its parameters,
// some time after the one before.
type step struct {
	think  float64 // milliseconds
	method string
	params string
}

var clickIt = func(think float64, selector string) step {
	return step{think, "click", fmt.Sprintf(`{"selector":%q}`, selector)}
}

// sessions are what is done in the pages of apps, a minute each.
var sessions = map[string][]step{
	"random":    {clickIt(2000, "#go"), clickIt(3300, "#roll"), clickIt(9000, "#scroll"), clickIt(12000, "#inp"), {700, "type", `{"selector":"#inp","text":"abc"}`}, {30000, "waitForTimeout", `{"waitTimeout":500}`}},
	"animation": {clickIt(1000, "#toggle"), {500, "hover", `{"selector":"#card"}`}, clickIt(120, "#toggle"), clickIt(12000, "#more"), clickIt(9000, "#more"), {33000, "waitForTimeout", `{"waitTimeout":300}`}},
	"requests":  {clickIt(1500, "#load"), clickIt(2500, "#parallel"), clickIt(9000, "#stream"), clickIt(14000, "#load"), {20000, "fill", `{"selector":"#q","value":"late"}`}, clickIt(9000, "#parallel")},
	"timers":    {clickIt(300, "#on"), {1100, "waitForTimeout", `{"waitTimeout":333}`}, clickIt(900, "#on"), {2000, "waitForTimeout", `{"waitTimeout":777}`}, clickIt(1500, "#log"), {3000, "waitForTimeout", `{"waitTimeout":700}`}},
	"unread":    {clickIt(100, "#b"), {100, "type", `{"selector":"#i","text":"caret"}`}, {100, "waitForTimeout", `{"waitTimeout":2345}`}, clickIt(20000, "#b"), clickIt(9000, "#b"), clickIt(25000, "#b")},
	"workers":   {clickIt(2000, "#ask"), clickIt(6000, "#ask"), clickIt(12000, "#frame >> internal:control=enter-frame >> button"), clickIt(500, "#ask"), {30000, "waitForTimeout", `{"waitTimeout":700}`}, clickIt(5000, "#ask")},
}

// handler serves the apps and the few addresses that they ask for.
func handler() http.Handler {
	files, err := fs.Sub(apps, "apps")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(files))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("content-type", "application/json")
		fmt.Fprintf(w, `{"path":%q}`, r.URL.Path)
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		for i := range 10 {
			fmt.Fprintf(w, "line %d\n", i)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	})
	return mux
}

// recordings writes the sessions as traces, or that of one app.
func recordings(dir, url, app string) ([]string, error) {
	var list []string
	for _, name := range []string{"random", "animation", "requests", "timers", "unread", "workers"} {
		if app != "" && app != name {
			continue
		}
		path := filepath.Join(dir, name+".zip")
		if err := recording(path, url+"/"+name+".html", sessions[name]); err != nil {
			return nil, err
		}
		list = append(list, path)
	}
	return list, nil
}

func recording(path, url string, steps []step) error {
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Discard()
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Options: json.RawMessage(`{"viewport":{"width":800,"height":600}}`), WallTime: 1.7e12})
	if err != nil {
		return err
	}
	at := trace.Milliseconds(1000)
	for i, s := range append([]step{{0, "goto", fmt.Sprintf(`{"url":%q}`, url)}}, steps...) {
		at = at.Add(time.Duration(s.think) * time.Millisecond)
		id := fmt.Sprintf("call@%d", i+1)
		if err := c.Write(&trace.Before{CallID: id, StartTime: at, Class: "Frame", Method: s.method, Params: json.RawMessage(s.params)}); err != nil {
			return err
		}
		at = at.Add(50 * time.Millisecond)
		if err := c.Write(&trace.After{CallID: id, EndTime: at}); err != nil {
			return err
		}
	}
	return w.Close()
}
