package watch

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

var (
	addresses = lazyregexp.New(`\bhttps?://[^\s"'<>)\]]+`)
	variables = lazyregexp.New(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|\b[0-9a-f]*[0-9][0-9a-f]{7,}\b|:[0-9]+:[0-9]+|0?\.[0-9]{3,}|\b[0-9]{3,}\b`)
	statuses  = lazyregexp.New(`(?i)(?:status(?: code)?(?: of)?|HTTP(?:/[0-9.]+)?)\s*:?\s*([0-9]{3})\b`)
)

// kind folds what differs between two messages that say the same: ids,
// numbers, addresses. A status stays, and so does what stands in quotes.
func kind(message string) string {
	status := ""
	if m := statuses.FindStringSubmatch(message); m != nil {
		status = " status " + m[1]
	}
	message = addresses.ReplaceAllStringFunc(message, template.URL)
	message = variables.ReplaceAllString(message, "#")
	return strings.Join(strings.Fields(message), " ") + status
}
