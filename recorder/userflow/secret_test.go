package userflow_test

import (
	"archive/zip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/recorder/userflow"
)

// A password that a flow types is in no entry of the trace, but that one was typed is.
func TestSecretsOfAFlowAreNotRecorded(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><input id="p" type="password"><input id="m" class="private"><input id="c" autocomplete="one-time-code">`)
	}))
	defer site.Close()
	flow, err := userflow.Read(strings.NewReader(`{"title":"sign in","steps":[{"type":"navigate","url":"` + site.URL + `"},
		{"type":"change","selectors":[["#p"]],"value":"hunter2-is-it"},
		{"type":"change","selectors":[["#m"]],"value":"medical-record"},
		{"type":"change","selectors":[["#c"]],"value":"884-271-code"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !flow.Navigates() {
		t.Error("the flow begins with an address")
	}
	out, err := record(t, flow, ".private")
	if err != nil {
		t.Error(err)
	}
	z, err := zip.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	masked := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"hunter2-is-it", "medical-record", "884-271-code"} {
			if strings.Contains(string(data), secret) {
				t.Errorf("%s holds %s", f.Name, secret)
			}
		}
		masked += strings.Count(string(data), `"_masked":true`)
	}
	if masked != 3 {
		t.Errorf("%d values are said to be masked, want 3", masked)
	}
}
