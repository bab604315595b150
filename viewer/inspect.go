package viewer

import (
	"context"
	"io/fs"
	"sync"

	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/web"
)

// inspectScript is the one script that runs in recorded pages, when the user
// inspects one.
func inspectScript() string {
	b, err := fs.ReadFile(web.Dist(), "inspect.js")
	if err != nil {
		return "" // then there is no such mode
	}
	return string(b)
}

// locatorCode is a selector as the code that makes it.
type locatorCode struct {
	Selector   string `json:"selector"`
	JavaScript string `json:"javascript"`
	Python     string `json:"python"`
	Java       string `json:"java"`
	CSharp     string `json:"csharp"`
}

// codeOf writes a selector as code, or takes code, whichever the text is.
func (r *recording) codeOf(text string) (any, error) {
	p := r.progress()
	testID := ""
	for _, c := range p.index.Contexts() {
		if c.Options.TestIDAttribute != "" {
			testID = c.Options.TestIDAttribute
		}
	}
	s, err := locator.FromCode(text, testID)
	if err != nil {
		return nil, err
	}
	selector := s.String()
	return locatorCode{selector, locator.Format(selector, locator.JavaScript), locator.Format(selector, locator.Python), locator.Format(selector, locator.Java), locator.Format(selector, locator.CSharp)}, nil
}

// audited is the report of an audit, which is made when somebody first asks.
type audited struct {
	mu     sync.Mutex
	report *verdict.Report
	bytes  int64 // how much had been read when it was made
}

// audit looks for security faults, once.
func (r *recording) audit(ctx context.Context) (any, error) {
	p := r.progress()
	if !p.done {
		return nil, errReading
	}
	r.audited.mu.Lock()
	defer r.audited.mu.Unlock()
	if r.audited.report != nil && r.audited.bytes == p.batch.Bytes {
		return r.audited.report, nil
	}
	report, err := audit.Run(ctx, r.archive, audit.Options{Least: verdict.Info})
	if err != nil {
		return nil, err
	}
	r.audited.report, r.audited.bytes = report, p.batch.Bytes
	return report, nil
}
