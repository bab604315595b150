package locator

import (
	"errors"
	"fmt"
	"strings"
)

// Text is what an element's text is compared with.
type Text struct {
	String string
	// Exact asks for the whole text in its case; otherwise a part of it in any case will do.
	Exact  bool
	Regexp *Regexp // set instead of String where the body is a regular expression
}

// Text reads the body of the text engines: internal:text, internal:label, internal:has-text and
// internal:has-not-text ("x"i, "x"s, /x/i, or bare), and the older text= ("x" and 'x' exact, /x/i, or bare).
func (p Part) Text() (Text, error) {
	var t Text
	var err error
	if strings.HasPrefix(p.Engine, "internal:") {
		t, err = internalText(p.Body)
	} else {
		t, err = plainText(p.Body)
	}
	if err != nil {
		return Text{}, fmt.Errorf("%s body %q: %w", p.Engine, clip(p.Body), err)
	}
	return t, nil
}

func internalText(body string) (Text, error) {
	if re, ok, err := slashed(body); ok {
		return Text{Regexp: &re}, err
	}
	quoted, exact := body, true
	switch {
	case strings.HasSuffix(body, `"`):
	case strings.HasSuffix(body, `"s`):
		quoted = body[:len(body)-1]
	case strings.HasSuffix(body, `"i`):
		quoted, exact = body[:len(body)-1], false
	default:
		return Text{String: body}, nil
	}
	s, ok := decodeJSONString(quoted)
	if !ok {
		return Text{}, errors.New("is not a JSON string")
	}
	return Text{String: s, Exact: exact}, nil
}

func plainText(body string) (Text, error) {
	if n := len(body); n > 1 && (body[0] == '"' || body[0] == '\'') && body[n-1] == body[0] {
		r := attributeReader{rest: body}
		s, err := r.quoted()
		return Text{String: s, Exact: true}, err
	}
	if end := strings.LastIndexByte(body, '/'); end > 0 && body[0] == '/' {
		re, err := newRegexp(body[1:end], body[end+1:])
		return Text{Regexp: &re}, err
	}
	return Text{String: body}, nil
}

// slashed reads a body of the form /source/flags. Like the original it lets the source hold anything but
// line ends.
func slashed(body string) (re Regexp, ok bool, err error) {
	end := strings.LastIndexByte(body, '/')
	if end < 1 || body[0] != '/' || strings.ContainsAny(body, "\n\r\u2028\u2029") {
		return Regexp{}, false, nil
	}
	if strings.Trim(body[end+1:], "dgimsuvy") != "" {
		return Regexp{}, false, nil
	}
	re, err = newRegexp(body[1:end], body[end+1:])
	return re, true, err
}
