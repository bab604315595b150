package rawjson

import "unicode/utf8"

// scanner walks over JSON text without recursion, so that hostile nesting
// costs a bit a level and no stack.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) fail(reason string) error {
	if s.i >= len(s.b) {
		reason = "the text ends early"
	}
	return &SyntaxError{Offset: s.i, Reason: reason}
}

func (s *scanner) blanks() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) take(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

func (s *scanner) members(obj Object) (Object, error) {
	s.blanks()
	if s.take('}') {
		return obj, nil
	}
	for {
		key, err := s.key()
		if err != nil {
			return nil, err
		}
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		obj = append(obj, Member{key, v})
		s.blanks()
		if s.take(',') {
			s.blanks()
			continue
		}
		if !s.take('}') {
			return nil, s.fail("a comma or the end of the object was expected")
		}
		return obj, nil
	}
}

func (s *scanner) key() (string, error) {
	s.blanks()
	start := s.i
	if err := s.str(); err != nil {
		return "", err
	}
	key, common := commonKeys[string(s.b[start:s.i])]
	if !common {
		var ok bool
		if key, ok = Unquote(s.b[start:s.i]); !ok {
			return "", s.fail("a member name is not a string")
		}
	}
	s.blanks()
	if !s.take(':') {
		return "", s.fail("a colon was expected")
	}
	return key, nil
}

// value steps over one value and returns its text.
func (s *scanner) value() ([]byte, error) {
	s.blanks()
	start := s.i
	var st stack
	for {
		s.blanks()
		if s.i >= len(s.b) {
			return nil, s.fail("")
		}
		opened, err := s.one(&st)
		if err != nil {
			return nil, err
		}
		if opened {
			continue
		}
		done, err := s.after(&st)
		if err != nil {
			return nil, err
		}
		if done {
			return s.b[start:s.i], nil
		}
	}
}

// one steps over a scalar, or into a non-empty array or object (opened).
func (s *scanner) one(st *stack) (opened bool, err error) {
	switch c := s.b[s.i]; {
	case c == '"':
		return false, s.str()
	case c == '{' || c == '[':
		return s.open(st, c)
	case c == '-' || c >= '0' && c <= '9':
		return false, s.number()
	default:
		return false, s.literal()
	}
}

func (s *scanner) open(st *stack, c byte) (bool, error) {
	if st.depth >= MaxDepth {
		return false, s.fail("nested too deeply")
	}
	s.i++
	s.blanks()
	if s.take(c + 2) { // '}' and ']' are two after '{' and '['
		return false, nil
	}
	st.push(c == '{')
	if c == '{' {
		return true, s.skipKey()
	}
	return true, nil
}

// after steps over what follows a value: commas, and the ends it closes.
func (s *scanner) after(st *stack) (done bool, err error) {
	for st.depth > 0 {
		s.blanks()
		if s.i >= len(s.b) {
			return false, s.fail("")
		}
		object := st.top()
		switch c := s.b[s.i]; {
		case c == ',':
			s.i++
			if object {
				return false, s.skipKey()
			}
			return false, nil
		case object && c == '}' || !object && c == ']':
			s.i++
			st.depth--
		default:
			return false, s.fail("a comma or an end was expected")
		}
	}
	return true, nil
}

func (s *scanner) skipKey() error {
	s.blanks()
	if err := s.str(); err != nil {
		return err
	}
	s.blanks()
	if !s.take(':') {
		return s.fail("a colon was expected")
	}
	return nil
}

func (s *scanner) str() error {
	if !s.take('"') {
		return s.fail("a string was expected")
	}
	for {
		for s.i < len(s.b) && plain[s.b[s.i]] {
			s.i++
		}
		switch {
		case s.i >= len(s.b):
			return s.fail("")
		case s.b[s.i] == '"':
			s.i++
			return nil
		case s.b[s.i] == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			return s.fail("a control character in a string")
		}
	}
}

// plain holds for each byte whether it may stand in a string as it is.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 256; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

func (s *scanner) escape() error {
	s.i++
	if s.i >= len(s.b) {
		return s.fail("")
	}
	switch s.b[s.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i++
		return nil
	case 'u':
		for k := 0; k < 4; k++ {
			s.i++
			if s.i >= len(s.b) || !isHex(s.b[s.i]) {
				return s.fail("a broken \\u escape")
			}
		}
		s.i++
		return nil
	}
	return s.fail("an unknown escape")
}

func (s *scanner) number() error {
	s.take('-')
	switch {
	case s.take('0'):
	case !s.digits():
		return s.fail("a broken number")
	}
	if s.take('.') && !s.digits() {
		return s.fail("a broken number")
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		if !s.digits() {
			return s.fail("a broken number")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > start
}

func (s *scanner) literal() error {
	for _, word := range []string{"true", "false", "null"} {
		if len(s.b)-s.i >= len(word) && string(s.b[s.i:s.i+len(word)]) == word {
			s.i += len(word)
			return nil
		}
	}
	return s.fail("a value was expected")
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// stack remembers for each open level whether it is an object, a bit each.
type stack struct {
	words []uint64
	depth int
}

func (st *stack) push(object bool) {
	w, bit := st.depth/64, uint(st.depth%64)
	if w == len(st.words) {
		st.words = append(st.words, 0)
	}
	st.words[w] &^= 1 << bit
	if object {
		st.words[w] |= 1 << bit
	}
	st.depth++
}

func (st *stack) top() bool {
	d := st.depth - 1
	return st.words[d/64]>>(uint(d%64))&1 == 1
}

// appendQuoted escapes only what JSON demands; encoding/json would also
// escape <, > and &, and so change text that nobody meant to change.
func appendQuoted(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(text[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		case plain[c]:
			b = append(b, c)
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
	}
	return append(b, '"')
}

// commonKeys are the names that lines of traces are full of, so that they need
// no memory of their own each time.
var commonKeys = func() map[string]string {
	m := map[string]string{}
	for _, k := range []string{"type", "callId", "startTime", "endTime", "class", "method", "params", "title", "subtitle", "stack", "pageId", "parentId",
		"time", "message", "text", "messageType", "args", "location", "url", "lineNumber", "columnNumber", "timestamp", "file", "width", "height", "sha1",
		"snapshot", "html", "frameId", "frameUrl", "phase", "snapshotName", "viewport", "wallTime", "collectionTime", "resourceOverrides", "isMainFrame",
		"doctype", "error", "result", "point", "box", "x", "y", "name", "value", "beforeSnapshot", "afterSnapshot", "inputSnapshot", "stepId", "group",
		"pageref", "startedDateTime", "request", "response", "cache", "timings", "_frameref", "_monotonicTime", "_resourceType", "serverIPAddress",
		"_serverPort", "_securityDetails", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize", "postData", "status",
		"statusText", "content", "redirectURL", "_transferSize", "_failureText", "size", "mimeType", "compression", "_sha1", "_file", "send", "wait",
		"receive", "dns", "connect", "ssl", "blocked", "preview", "column", "line", "function", "frameSwapWallTime"} {
		m[`"`+k+`"`] = k
	}
	return m
}()
