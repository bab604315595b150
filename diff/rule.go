package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Scope names a sort of text in which a rule looks.
type Scope string

// Where rules look.
const (
	InMessage Scope = "message" // console messages and errors
	InURL     Scope = "url"     // addresses
	InPath    Scope = "path"    // one segment of an address's path, for telling endpoints apart
	InHeader  Scope = "header"  // headers of requests and answers; the field is the header's name
	InRequest Scope = "request" // headers of requests alone; the field is the header's name
	InBody    Scope = "body"    // bodies and socket messages; the field is the JSON member's or parameter's name
	InDOM     Scope = "dom"     // text and attributes of pages; the field is the attribute's name
	InStep    Scope = "step"    // titles and parameters of steps; the field is the parameter's name
	InStorage Scope = "storage" // cookies and stored items; the field is their name
)

var scopes = []Scope{InMessage, InURL, InPath, InHeader, InRequest, InBody, InDOM, InStep, InStorage}

// Rule masks what differs from run to run without meaning anything.
type Rule struct {
	// Name is what the rule is listed by. A rule takes the place of the
	// default rule of that name.
	Name string `json:"name"`
	// Scopes are the sorts of text it looks in; none means all.
	Scopes []Scope `json:"scopes,omitempty"`
	// Field, if set, is a regular expression for the name of what the text is
	// the value of: a header, a JSON member, an attribute.
	Field string `json:"field,omitempty"`
	// Pattern is what is masked; with a Field it may be empty, for the whole
	// value. A match of a group called "keep" is left as it is.
	Pattern string `json:"pattern,omitempty"`
	// Replacement stands for what was masked: "[uuid]". It may use groups.
	Replacement string `json:"replacement"`
	// Mixed masks only what holds a letter and a digit: the group called "v",
	// or the whole match.
	Mixed bool `json:"mixed,omitempty"`
	// Off switches the default rule of that name off.
	Off bool `json:"off,omitempty"`
}

// ReadRules reads rules from JSON: a list of them, or {"rules": [...]}.
func ReadRules(r io.Reader) ([]Rule, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRules+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRules {
		return nil, errors.New("the rules are longer than 1 MB")
	}
	var list []Rule
	if strings.HasPrefix(strings.TrimSpace(string(text)), "[") {
		err = strict(text, &list)
	} else {
		var file struct {
			Rules []Rule `json:"rules"`
		}
		err = strict(text, &file)
		list = file.Rules
	}
	if err != nil {
		return nil, err
	}
	_, err = NewMasks(list)
	return list, err
}

const maxRules = 1 << 20

func strict(text []byte, v any) error {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more after the rules")
	}
	return nil
}

// withDefaults returns the default rules with the given ones added, replaced
// or switched off. Given rules come first: what they mask is gone.
func withDefaults(given []Rule) []Rule {
	named := map[string]bool{}
	var list []Rule
	for _, r := range given {
		named[r.Name] = true
		if !r.Off {
			list = append(list, r)
		}
	}
	for _, r := range DefaultRules() {
		if !named[r.Name] {
			list = append(list, r)
		}
	}
	return list
}

// rule is a Rule that is ready.
type rule struct {
	Rule
	number  int
	field   *regexp.Regexp
	pattern *regexp.Regexp // nil for the whole value
	keep, v int            // numbers of groups, -1 where there is none
	needs   []needs        // one of these a text must meet
}

func compile(number int, r Rule) (*rule, error) {
	c := &rule{Rule: r, number: number, keep: -1, v: -1}
	if strings.TrimSpace(r.Name) == "" {
		return nil, fmt.Errorf("rule %d has no name", number+1)
	}
	if r.Pattern == "" && r.Field == "" {
		return nil, fmt.Errorf("rule %q has neither a pattern nor a field", r.Name)
	}
	for _, s := range r.Scopes {
		if !slices.Contains(scopes, s) {
			return nil, fmt.Errorf("rule %q: there is no scope %q", r.Name, s)
		}
	}
	var err error
	if r.Field != "" {
		if c.field, err = regexp.Compile(r.Field); err != nil {
			return nil, fmt.Errorf("rule %q: field: %w", r.Name, err)
		}
	}
	if r.Pattern == "" {
		return c, nil
	}
	if c.pattern, err = regexp.Compile(r.Pattern); err != nil {
		return nil, fmt.Errorf("rule %q: pattern: %w", r.Name, err)
	}
	c.keep, c.v = c.pattern.SubexpIndex("keep"), c.pattern.SubexpIndex("v")
	c.needs = needsOf(r.Pattern)
	return c, nil
}

func (r *rule) looksIn(s Scope) bool { return len(r.Scopes) == 0 || slices.Contains(r.Scopes, s) }

// masks reports whether a match, given by the places of its groups, is masked.
func (r *rule) masks(text string, m []int) bool {
	if r.keep >= 0 && m[2*r.keep] >= 0 || m[0] == m[1] {
		return false
	}
	if !r.Mixed {
		return true
	}
	from, to := m[0], m[1]
	if r.v >= 0 && m[2*r.v] >= 0 {
		from, to = m[2*r.v], m[2*r.v+1]
	}
	var letter, digit bool
	for _, b := range []byte(text[from:to]) {
		digit = digit || b >= '0' && b <= '9'
		letter = letter || b|0x20 >= 'a' && b|0x20 <= 'z'
	}
	return letter && digit
}
