package viewer

import (
	"io/fs"

	"github.com/tracedeck/tracedeck/trace/locator"
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
