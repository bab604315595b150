package cdp

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/tracedeck/tracedeck/trace"
)

// stream is an entry of lines: the messages of a web socket or of an event
// stream, written as they come.
type stream struct {
	file string
	out  io.WriteCloser
	size int64 // bytes so far
	max  int64 // bytes at most
	lost int   // messages above that
}

// streamLine is a message. Opcode and data are those of web sockets: text as
// it is for 1, base64 for the others.
type streamLine struct {
	Type   string  `json:"type"` // "send" or "receive"
	Time   float64 `json:"time"` // milliseconds since the epoch
	Opcode int     `json:"opcode"`
	Data   string  `json:"data"`
	Event  string  `json:"event,omitempty"` // of an event stream
	ID     string  `json:"id,omitempty"`
}

// newStream makes the entry and says in an event of which address it holds the
// messages: if the recording is cut off there will be nothing else to tell.
func (r *Recorder) newStream(kind, address, pageID string) *stream {
	var name [16]byte
	_, _ = rand.Read(name[:])
	s := &stream{file: "resources/" + hex.EncodeToString(name[:]) + ".jsonl", max: 4 * r.o.MaxBody}
	out, err := r.sink.Stream(s.file)
	if err != nil {
		r.sink.Warn(trace.Warning{Code: "W_STREAM", Place: address, Text: "messages are not recorded: " + err.Error()})
		s.file = ""
		return s
	}
	s.out = out
	r.happened(r.sink.Now(), kind, pageID, map[string]any{"url": address, "file": s.file})
	return s
}

func (s *stream) write(l streamLine) {
	line, err := json.Marshal(l)
	if s.out == nil || err != nil {
		return
	}
	if s.size+int64(len(line)) > s.max {
		s.lost++
		return
	}
	s.size += int64(len(line)) + 1
	_, _ = s.out.Write(append(line, '\n')) // the sink remembers what went wrong
}

func (s *stream) close() {
	if s.out != nil {
		_ = s.out.Close()
		s.out = nil
	}
}
