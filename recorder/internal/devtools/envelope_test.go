package devtools

import (
	"bytes"
	"encoding/json"
	"testing"
)

// whole is a message as a JSON decoder reads it.
type whole struct {
	ID        *int            `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
}

func TestEnvelopesAreTakenOff(t *testing.T) {
	for _, c := range []struct{ text, method, params, session string }{
		{`{"method":"A.b","params":{"c":1},"sessionId":"S"}`, "A.b", `{"c":1}`, "S"},
		{`{"method":"A.b","params":{}}`, "A.b", `{}`, ""},
		{`{"method":"A.b","params":{"c":{"sessionId":"x"}}}`, "A.b", `{"c":{"sessionId":"x"}}`, ""},
		{`{"method":"A.b","params":{"c":",\"sessionId\":\"y\"}"},"sessionId":"S"}`, "A.b", `{"c":",\"sessionId\":\"y\"}"}`, "S"},
	} {
		e, ok := eventIn([]byte(c.text))
		if !ok || e.Method != c.method || string(e.Params) != c.params || e.Session != c.session {
			t.Errorf("%s: %v %q %q %q", c.text, ok, e.Method, e.Params, e.Session)
		}
	}
	if id, result, ok := resultIn([]byte(`{"id":12,"result":{"a":[]},"sessionId":"S"}`)); !ok || id != 12 || string(result) != `{"a":[]}` {
		t.Errorf("an answer: %d %s %v", id, result, ok)
	}
	for _, odd := range []string{`{"id":1,"error":{"code":-1}}`, `{"params":{},"method":"A"}`, `{"method":"A"}`, `{"method":"A","params":1}`, `{"id":1,"result":{`, ``} {
		if _, ok := eventIn([]byte(odd)); ok {
			t.Errorf("taken for an event: %s", odd)
		}
		if _, _, ok := resultIn([]byte(odd)); ok {
			t.Errorf("taken for an answer: %s", odd)
		}
	}
}

// What is taken off without reading the rest is what a decoder finds, wherever
// the message is sound and says each thing once, as browsers' do.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"AB12"}`))
	f.Add([]byte(`{"id":7,"result":{"body":"a\"}","base64Encoded":false},"sessionId":"AB12"}`))
	f.Add([]byte(`{"method":"A","params":{"s":"\",\"sessionId\":\"B\"}"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, isEvent := eventIn(data)
		_, result, isResult := resultIn(data)
		inner := e.Params
		if isResult {
			inner = result
		}
		if !isEvent && !isResult || !json.Valid(inner) || !json.Valid(data) {
			return
		}
		var w whole
		if json.Unmarshal(data, &w) != nil {
			return
		}
		if isEvent && (w.Method != e.Method || w.SessionID != e.Session || !bytes.Equal(w.Params, e.Params)) {
			t.Errorf("%s: %q %q %s", data, e.Method, e.Session, e.Params)
		}
		if isResult && !bytes.Equal(w.Result, result) {
			t.Errorf("%s: %s", data, result)
		}
	})
}
