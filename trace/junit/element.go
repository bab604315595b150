package junit

import "encoding/xml"

// The elements, in the order that the schema has them in.

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"` // the schema knows skipped only of suites
	Time     string   `xml:"time,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Hostname string     `xml:"hostname,attr,omitempty"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Time     string     `xml:"time,attr"`
	Stamp    string     `xml:"timestamp,attr,omitempty"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Time    string    `xml:"time,attr"`
	Skipped *skipped  `xml:"skipped"`
	Error   *problem  `xml:"error"`
	Failure *problem  `xml:"failure"`
	Reruns  []problem `xml:"rerunFailure,omitempty"`
	Flaky   []problem `xml:"flakyFailure,omitempty"`
	Out     string    `xml:"system-out,omitempty"`
}

type skipped struct {
	Why string `xml:",chardata"` // the schema gives it no attributes
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func suiteOf(s *Suite) suite {
	out := suite{Name: Clean(s.Name), Hostname: Clean(s.Hostname), Tests: len(s.Cases), Time: decimal(s.Seconds), Stamp: s.Stamp}
	for i := range s.Cases {
		c := &s.Cases[i]
		e := testcase{Name: Clean(c.Name), Class: Clean(c.Class), Time: decimal(c.Seconds), Out: Clean(c.Out),
			Error: problemOf(c.Error), Failure: problemOf(c.Failure), Reruns: problemsOf(c.Reruns), Flaky: problemsOf(c.Flaky)}
		switch {
		case c.Error != nil:
			out.Errors++
		case c.Failure != nil:
			out.Failures++
		case c.Skipped != nil:
			e.Skipped = &skipped{Clean(*c.Skipped)}
			out.Skipped++
		}
		out.Cases = append(out.Cases, e)
	}
	return out
}

func problemOf(p *Problem) *problem {
	if p == nil {
		return nil
	}
	return &problem{Clean(p.Message), Clean(p.Type), Clean(p.Text)}
}

func problemsOf(list []Problem) []problem {
	var out []problem
	for i := range list {
		out = append(out, *problemOf(&list[i]))
	}
	return out
}
