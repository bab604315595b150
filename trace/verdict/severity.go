// Package verdict holds the vocabulary of results: findings with a severity,
// evidence and a code, what was looked at and what could not be, and the forms
// in which other programs take them (SARIF, JUnit).
package verdict

import "fmt"

// Severity says how much a finding matters.
type Severity string

// How much a finding matters.
const (
	Info     Severity = "info"     // worth knowing
	Warning  Severity = "warning"  // should be mended
	Critical Severity = "critical" // must be mended, and what leaked be replaced
)

// Severities are all there are, worst first.
var Severities = []Severity{Critical, Warning, Info}

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, error) {
	for _, s := range Severities {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("severity %q: there is critical, warning and info", name)
}

func (s Severity) rank() int {
	switch s {
	case Critical:
		return 3
	case Warning:
		return 2
	case Info:
		return 1
	}
	return 0
}

// AtLeast reports whether s is least or worse.
func (s Severity) AtLeast(least Severity) bool { return s.rank() >= least.rank() }

// Lower returns the severity one step below; nothing is below Info.
func (s Severity) Lower() Severity {
	if s == Critical {
		return Warning
	}
	return Info
}

// Higher returns the severity one step above; nothing is above Critical.
func (s Severity) Higher() Severity {
	if s == Info {
		return Warning
	}
	return Critical
}
