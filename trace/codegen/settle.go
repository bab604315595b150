package codegen

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// settle makes the last changes once everything is known.
func (s *Scenario) settle() {
	s.credentials()
	s.born = s.made()
	if s.o.Fixtures == Seed {
		s.remember()
	}
	for _, step := range s.Steps {
		if len(step.Effects) > 0 {
			kept := step.Effects[:0]
			for _, e := range step.Effects {
				if !s.values.sensitive(e.Text + " " + e.Target.Selector) {
					kept = append(kept, e)
				}
			}
			step.Effects = kept
		}
	}
}

// made returns the ids that the server gave to what the session made: those in
// answers to requests that change data, and those in addresses to which it sent
// the browser then. They are others each time.
func (s *Scenario) made() map[string]bool {
	ids := map[string]bool{}
	for _, r := range s.Requests {
		if !r.mutates() {
			continue
		}
		list := idsOf(r.got, nil)
		if r.Status/100 == 3 {
			list = append(list, strings.FieldsFunc(path(r.entry.Response.Header("Location")), func(c rune) bool { return c == '/' })...)
		}
		for _, id := range list {
			if strings.ContainsAny(id, "0123456789") && len(id) <= 64 {
				ids[id] = true
			}
		}
	}
	return ids
}

// varies reports whether a part of an address is another one each time.
func (s *Scenario) varies(part string) bool { return madeUp(part) || s.born[part] }

// remember notes the ids that setup requests give and that are others when
// they are made again.
func (s *Scenario) remember() {
	for _, r := range s.Requests {
		if r.Class != Setup {
			continue
		}
		for _, id := range idsOf(r.got, nil) {
			s.values.ids[id] = true
		}
	}
}

// Numbers returns how many steps a person took, and how many assertions the
// recorded test made.
func (s *Scenario) Numbers() (steps, assertions int) {
	for _, step := range s.Steps {
		switch step.Verb {
		case Expect:
			assertions++
		case NotCarried:
		default:
			steps++
		}
	}
	return steps, assertions
}

// urlPattern is an address as a regular expression in which what looks made up
// may be anything; ok is false where nothing does.
func (s *Scenario) urlPattern(address string) (source string, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for i, part := range strings.Split(u.EscapedPath(), "/") {
		if i > 0 {
			b.WriteString(`\/`)
		}
		if s.varies(part) {
			b.WriteString(`[^/?#]+`)
			ok = true
		} else {
			b.WriteString(escapeRegexp(part))
		}
	}
	if u.RawQuery != "" {
		q, some := s.queryPattern(u.RawQuery)
		b.WriteString(`\?` + q)
		ok = ok || some
	}
	if u.Fragment != "" {
		b.WriteString("#" + escapeRegexp(u.EscapedFragment()))
	}
	return b.String() + "$", ok
}

func (s *Scenario) queryPattern(query string) (source string, some bool) {
	var parts []string
	for _, pair := range strings.Split(query, "&") {
		name, value, has := strings.Cut(pair, "=")
		switch {
		case volatile.MatchString(name) || s.varies(value):
			parts, some = append(parts, escapeRegexp(name)+"=[^&#]*"), true
		case has:
			parts = append(parts, escapeRegexp(name)+"="+escapeRegexp(value))
		default:
			parts = append(parts, escapeRegexp(name))
		}
	}
	return strings.Join(parts, "&"), some
}

// madeUp recognises parts of addresses that a program makes: numbers of three
// digits and more, hashes, tokens.
func madeUp(s string) bool { return madeUpForm.MatchString(s) || redactedForm.MatchString(s) }

var madeUpForm = lazyregexp.New(`^\d{3,}$|^[0-9a-fA-F]{8,}$|[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-|^[A-Za-z]{2,8}[-_]\d{3,}$|^(?:[A-Za-z_-]*\d){3,}[A-Za-z0-9_-]*$`)

// escapeRegexp writes a text as a part of a regular expression of either language.
func escapeRegexp(s string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(s), "/", `\/`)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func seconds(d time.Duration) string { return number(float64(d.Round(100*time.Millisecond)) / 1e9) }
