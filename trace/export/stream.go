package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/tracedeck/tracedeck/trace"
)

// NDJSON returns a sink that writes each event as one line of JSON, in the
// shape of the newest version.
func NDJSON(w io.Writer) Sink { return &ndjson{w: bufio.NewWriterSize(w, 64<<10)} }

type ndjson struct {
	w    *bufio.Writer
	line []byte
}

func (s *ndjson) Event(e *trace.Event) (err error) {
	if s.line, err = trace.AppendBody(s.line[:0], e.Body); err != nil {
		return err
	}
	s.line = append(s.line, '\n')
	_, err = s.w.Write(s.line)
	return err
}

func (s *ndjson) Close() error { return s.w.Flush() }

// MessagePack returns a sink that writes each event as one MessagePack map,
// one behind the other, with the members and values that its JSON has.
// Numbers without a fraction are integers.
func MessagePack(w io.Writer) Sink {
	b := bufio.NewWriterSize(w, 64<<10)
	return &packed{w: b, enc: msgpack.NewEncoder(b)}
}

type packed struct {
	w    *bufio.Writer
	enc  *msgpack.Encoder
	line []byte
}

func (s *packed) Event(e *trace.Event) (err error) {
	if s.line, err = trace.AppendBody(s.line[:0], e.Body); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(s.line))
	dec.UseNumber()
	return s.value(dec)
}

func (s *packed) Close() error { return s.w.Flush() }

// value writes the next value of the decoder. Sizes come first in
// MessagePack, so arrays and maps are taken in whole before they are written.
func (s *packed) value(dec *json.Decoder) error {
	var v any
	if err := dec.Decode(&v); err != nil {
		return err
	}
	return s.encode(v)
}

func (s *packed) encode(v any) error {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return s.enc.EncodeInt(n)
		}
		f, err := v.Float64()
		if err != nil {
			return err
		}
		return s.enc.EncodeFloat64(f)
	case []any:
		if err := s.enc.EncodeArrayLen(len(v)); err != nil {
			return err
		}
		for _, e := range v {
			if err := s.encode(e); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		return s.encodeMap(v)
	}
	return s.enc.Encode(v)
}

// encodeMap writes members sorted by name, so that the same trace gives the
// same bytes; "type" comes first.
func (s *packed) encodeMap(m map[string]any) error {
	if err := s.enc.EncodeMapLen(len(m)); err != nil {
		return err
	}
	for _, k := range sortedKeys(m) {
		if err := s.enc.EncodeString(k); err != nil {
			return err
		}
		if err := s.encode(m[k]); err != nil {
			return err
		}
	}
	return nil
}
