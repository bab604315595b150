package codegen

import (
	"regexp"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

var (
	secretName = lazyregexp.New(`(?i)pass(word|wd|phrase|code)?\b|\bpass|pwd|\bpw\b|secret|token|api[-_ ]?key|\botp\b|\bpin\b|cvv|cvc|one[- ]time|ssn`)
	userName   = lazyregexp.New(`(?i)user|login|e-?mail|account|\bname\b|sign.?in|identifier|phone`)
)

// secretField says what a step types where the page tells that it is secret.
func (s *Scenario) secretField(page *dom, step *Step) {
	if page == nil || step.Verb != Fill && step.Verb != TypeText {
		return
	}
	sel := step.Target.Selector
	if id, ok := strings.CutPrefix(sel, "#"); ok && page.fields["id="+id] == "password" {
		step.secret = true
	}
	for field, kind := range page.fields {
		name, value, _ := strings.Cut(field, "=")
		if kind == "password" && strings.Contains(sel, "["+name+"=") && strings.Contains(sel, value) {
			step.secret = true
		}
	}
}

// credentials finds what was typed into fields of secrets, and the name that
// was typed with it, and lets the environment give both.
func (s *Scenario) credentials() {
	for i, step := range s.Steps {
		if step.Verb != Fill && step.Verb != TypeText || step.Text == "" {
			continue
		}
		if !step.secret && !redactedForm.MatchString(step.Text) && !s.isSecretField(step) {
			continue
		}
		name := s.variable(step)
		s.values.env[step.Text] = name
		if strings.HasPrefix(name, "TD_PASSWORD") {
			s.userBefore(i, strings.TrimPrefix(name, "TD_PASSWORD"))
		}
	}
}

func (s *Scenario) isSecretField(step *Step) bool {
	if step.Action != nil {
		p := paramsOf(step.Action.Before.Params)
		if t := targetOf(p); p.truth("masked") || t != nil && t.Attributes["type"] == "password" {
			return true
		}
	}
	return secretName.MatchString(words(step.Target.Selector))
}

// words is a selector without the names of engines, which mean nothing.
func words(selector string) string {
	return regexp.MustCompile(`internal:\w+=?|role=\w+`).ReplaceAllString(strings.NewReplacer("_", " ", "-", " ", "#", " ", "=", " ", "[", " ", "]", " ", `"`, " ").Replace(selector), " ")
}

// variable names the variable for what a step types.
func (s *Scenario) variable(step *Step) string {
	if name, ok := s.values.env[step.Text]; ok {
		return name
	}
	name, what := "TD_PASSWORD", "what is typed into "+describe(step.Target)
	w := strings.ToLower(words(step.Target.Selector))
	switch {
	case strings.Contains(w, "otp") || strings.Contains(w, "one time"):
		name = "TD_OTP"
	case strings.Contains(w, "token"):
		name = "TD_TOKEN"
	case strings.Contains(w, "key") && strings.Contains(w, "api"):
		name = "TD_API_KEY"
	}
	return s.need(name, what)
}

func (s *Scenario) need(name, what string) string {
	n := 1
	for _, v := range s.Needs {
		if v.Name == name || strings.HasPrefix(v.Name, name+"_") {
			n++
		}
	}
	if n > 1 {
		name += "_" + number(float64(n))
	}
	s.Needs = append(s.Needs, Variable{name, what})
	return name
}

// userBefore lets the environment give the name that goes with a password:
// what was typed on the same page right before it.
func (s *Scenario) userBefore(i int, suffix string) {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		step := s.Steps[j]
		if step.Verb.navigates() || step.page != s.Steps[i].page {
			return
		}
		if (step.Verb == Fill || step.Verb == TypeText) && step.Text != "" && userName.MatchString(words(step.Target.Selector)+" "+mailWord(step.Text)) {
			if _, ok := s.values.env[step.Text]; !ok {
				s.values.env[step.Text] = s.need("TD_USERNAME"+suffix, "what is typed into "+describe(step.Target))
			}
			return
		}
	}
}

func mailWord(text string) string {
	if mailForm.MatchString(text) {
		return "email"
	}
	return ""
}
