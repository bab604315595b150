package redact_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func TestMaskerKnowsWhatTheTraceGaveAway(t *testing.T) {
	const secret = "9f8b7c-Quiet-Harbour-41"
	a := tracetest.Open(t, tracetest.Zip(t, tracetest.Head+`
== trace.network
resource-snapshot
	snapshot: {"startedDateTime":"2023-11-14T22:13:20Z","time":1,"request":{"method":"GET","url":"http://a.test/","headers":[{"name":"Cookie","value":"sid=`+secret+`"}]},"response":{"status":200,"headers":[],"content":{}},"_monotonicTime":2}
`))
	m := redact.NewMasker(redact.Options{})
	said := "the session " + secret + " is over"
	if m.Text(said) != said {
		t.Error("masked what nothing gives away")
	}
	if err := m.Learn(context.Background(), a); err != nil {
		t.Fatal(err)
	}
	if got := m.Text(said); strings.Contains(got, secret) {
		t.Errorf("%q still tells", got)
	}
	out := m.JSON([]byte(`{"text":"` + said + `","password":"hunter2","n":1}`))
	if !json.Valid(out) || strings.Contains(string(out), secret) || strings.Contains(string(out), "hunter2") || !strings.Contains(string(out), `"n":1`) {
		t.Errorf("%s", out)
	}
	if again := m.JSON(out); string(again) != string(out) {
		t.Errorf("masking twice: %s, then %s", out, again)
	}
}

func TestMaskerRemembersWhatItMasked(t *testing.T) {
	m := redact.NewMasker(redact.Options{})
	m.Text("GET /x?access_token=Zk31-purple-anchor-77")
	m.LearnLine([]byte(`{"type":"before","callId":"c1","method":"fill","params":{"selector":"#password","value":"correct horse battery"}}`))
	if got := m.Text("sent Zk31-purple-anchor-77 and correct horse battery"); strings.Contains(got, "anchor") || strings.Contains(got, "horse") {
		t.Errorf("%q", got)
	}
}

func FuzzMasker(f *testing.F) {
	f.Add(`{"token":"abcdefghijkl","x":[1,{"name":"authorization","value":"Bearer abc.def"}]}`)
	f.Add("Set-Cookie: a=b; Path=/\r\nhttps://u:p@h/?key=1")
	f.Fuzz(func(t *testing.T, s string) {
		m := redact.NewMasker(redact.Options{})
		out := m.JSON([]byte(s))
		if json.Valid([]byte(s)) && !json.Valid(out) {
			t.Errorf("%q became %q", s, out)
		}
		if once := m.Text(m.Text(s)); m.Text(once) != once {
			t.Errorf("%q does not settle", s)
		}
	})
}
