package verdict

// Rule is one kind of finding.
type Rule struct {
	Code           string `json:"code"`     // stable, such as "secret-in-url"
	Category       string `json:"category"` // the check that looks for it
	Title          string `json:"title"`
	Description    string `json:"description"` // why it matters
	Recommendation string `json:"recommendation"`
	CWE            string `json:"cwe,omitempty"` // "CWE-598"
}

// Finding is one fault with what shows it. It never holds a secret.
type Finding struct {
	Severity       Severity `json:"severity"`
	Category       string   `json:"category"`
	Code           string   `json:"code"`
	Title          string   `json:"title"`
	Description    string   `json:"description"`
	Evidence       Evidence `json:"evidence"`
	Recommendation string   `json:"recommendation"`
	CWE            string   `json:"cwe,omitempty"`
	// Occurrences is how often the same was seen; Evidence is the first.
	Occurrences int `json:"occurrences"`
	// AlsoMatched are other rules that the same value in the same place breaks.
	AlsoMatched []string `json:"also_matched,omitempty"`
}

// Evidence is where a fault was seen. Values and addresses are masked.
type Evidence struct {
	Type          string   `json:"type"` // "url", "request_body", "response_body", "script", "websocket", "console", "header", "cookie", "page", "action" or "request"
	Method        string   `json:"method,omitempty"`
	URL           string   `json:"url,omitempty"` // of the request
	Status        int      `json:"status,omitempty"`
	Page          string   `json:"page_url,omitempty"` // of the frame that asked
	ResourceType  string   `json:"resource_type,omitempty"`
	Field         string   `json:"field,omitempty"`   // parameter, header, cookie, or JSON Pointer with * for any element
	Pattern       string   `json:"pattern,omitempty"` // what the value looks like, such as "GitHub token"
	RedactedValue string   `json:"redacted_value,omitempty"`
	Level         string   `json:"level,omitempty"`  // of a console message
	Source        string   `json:"source,omitempty"` // script:line of a console message
	AuthPresent   *bool    `json:"auth_present,omitempty"`
	PIIFields     []string `json:"pii_fields,omitempty"`
	Notes         []string `json:"notes,omitempty"`    // facts, and why the severity is what it is
	Place         string   `json:"place,omitempty"`    // entry:line of the trace
	Resource      string   `json:"resource,omitempty"` // entry that holds the body
}
