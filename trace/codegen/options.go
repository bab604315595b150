package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// Style says how much a test checks.
type Style string

// The styles. Checks are added to and taken from them.
const (
	Smoke    Style = "smoke"    // where navigations lead, and errors of the page
	Standard Style = "standard" // also answers of the server, and what changed on the page
	Full     Style = "full"     // also the shape of answers, and how the page looks
)

// Check is a kind of assertion that a test may make besides those that the
// recorded test made itself.
type Check string

// The checks.
const (
	CheckURL     Check = "url"     // where a step leads
	CheckErrors  Check = "errors"  // uncaught errors of the page
	CheckNetwork Check = "network" // the status of answers that a step brings
	CheckDOM     Check = "dom"     // texts that a step brings
	CheckShape   Check = "shape"   // the members of JSON answers
	CheckVisual  Check = "visual"  // toHaveScreenshot
)

var (
	styles = map[Style][]Check{
		Smoke:    {CheckURL, CheckErrors},
		Standard: {CheckURL, CheckErrors, CheckNetwork, CheckDOM},
		Full:     {CheckURL, CheckErrors, CheckNetwork, CheckDOM, CheckShape, CheckVisual},
	}
	allChecks = styles[Full]
)

// Fixtures says where a test has the data of its server from.
type Fixtures string

// The kinds of fixtures.
const (
	NoFixtures Fixtures = "none" // the server has them
	Mock       Fixtures = "mock" // recorded answers are given instead of the server's
	Seed       Fixtures = "seed" // recorded requests that made the data are made again
)

// Expectation says what a test expects where the recording went wrong.
type Expectation string

// The expectations.
const (
	AsRecorded Expectation = "recorded" // the same again
	Fixed      Expectation = "fixed"    // that it is right now
)

// Options say what of a trace is taken, and what a test checks. DefaultOptions
// is what most want.
type Options struct {
	Name     string // of the test; "" is the trace's title
	BaseURL  string // instead of the recorded origin
	From, To string // call ids of the first and the last action; "" is all
	Last     int    // only that many actions; 0 is all
	Style    Style
	With     []Check // besides those of the style
	Without  []Check
	Fixtures Fixtures
	Expect   Expectation
	// Screenshots takes a picture after each step that changed the page.
	Screenshots bool
	// MaxDiffRatio is the share of pixels that a picture may differ in.
	MaxDiffRatio float64
	// NoMasks compares pictures whole, also where the page is another one each time.
	NoMasks bool
}

// DefaultOptions returns the options of a standard test without fixtures.
func DefaultOptions() Options {
	return Options{Style: Standard, Fixtures: NoFixtures, Expect: AsRecorded, MaxDiffRatio: 0.01}
}

// Valid returns an error that names the option of which the value is none.
func (o *Options) Valid() error {
	if _, ok := styles[o.Style]; !ok {
		return fmt.Errorf("style %q: it is smoke, standard or full", o.Style)
	}
	if !slices.Contains([]Fixtures{NoFixtures, Mock, Seed}, o.Fixtures) {
		return fmt.Errorf("fixtures %q: it is none, mock or seed", o.Fixtures)
	}
	if o.Expect != AsRecorded && o.Expect != Fixed {
		return fmt.Errorf("expect %q: it is recorded or fixed", o.Expect)
	}
	for _, c := range slices.Concat(o.With, o.Without) {
		if !slices.Contains(allChecks, c) {
			return fmt.Errorf("check %q: there is %s", c, checkNames())
		}
	}
	return nil
}

// Checks reports whether a test of these options makes the check.
func (o *Options) Checks(c Check) bool {
	if slices.Contains(o.Without, c) {
		return false
	}
	return slices.Contains(o.With, c) || slices.Contains(styles[o.Style], c)
}

func checkNames() string {
	var names []string
	for _, c := range allChecks {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}
