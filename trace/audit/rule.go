package audit

import "github.com/tracedeck/tracedeck/trace/verdict"

// The checks, each with rules of its own.
const (
	Credentials = "credentials"
	Auth        = "auth_patterns"
	Personal    = "pii_exposure"
	Transport   = "transport"
	Headers     = "headers"
	Cookies     = "cookies"
)

// Checks are all checks, in the order they are reported.
var Checks = []string{Credentials, Auth, Personal, Transport, Headers, Cookies}

// Rules are all kinds of findings.
var Rules = []verdict.Rule{
	{Code: "secret-in-url", Category: Credentials, CWE: "CWE-598", Title: "Credential in a URL",
		Description:    "Addresses are kept in server logs, browser history and caches, and sent on in Referer headers.",
		Recommendation: "Send it in a header or in the request's body, and replace the one that was sent."},
	{Code: "secret-in-request", Category: Credentials, CWE: "CWE-200", Title: "Credential in a request body",
		Description:    "A key or token in a body is seen by everything that handles or logs the request.",
		Recommendation: "Keep keys on the server; send tokens in the Authorization header, and only to those who issued them."},
	{Code: "secret-in-response", Category: Credentials, CWE: "CWE-200", Title: "Credential in a response",
		Description:    "What a page is sent can be read by everybody who can open the page, and by every script in it.",
		Recommendation: "Leave it out of the answer, and replace the one that was sent."},
	{Code: "secret-in-websocket", Category: Credentials, CWE: "CWE-200", Title: "Credential in a WebSocket message",
		Description:    "Messages are seen by everything that handles or logs the connection.",
		Recommendation: "Authenticate when the connection is made, and keep keys on the server."},
	{Code: "secret-in-console", Category: Credentials, CWE: "CWE-532", Title: "Credential in a log",
		Description:    "Console messages and test output are collected by monitoring, CI and extensions.",
		Recommendation: "Remove the message, or mask the value before it is logged."},
	{Code: "secret-in-script", Category: Credentials, CWE: "CWE-798", Title: "Credential in a script's source",
		Description:    "What is in a script that browsers load is public.",
		Recommendation: "Move the call that needs it to a server, and replace the key."},
	{Code: "secret-in-header", Category: Credentials, CWE: "CWE-522", Title: "Credential in a header that gives it away",
		Description:    "A key of a service that a browser sends can be read by everybody who can open the page; a Referer header takes credentials of an address to another site.",
		Recommendation: "Call services that need a key from a server. Keep credentials out of addresses, and send Referrer-Policy: strict-origin-when-cross-origin."},
	{Code: "secret-in-page", Category: Credentials, CWE: "CWE-200", Title: "Credential in a page",
		Description:    "What stands in a page can be read by every script in it and by extensions, and is in each of the trace's snapshots.",
		Recommendation: "Do not put it into the page, or show only its end."},
	{Code: "secret-in-action", Category: Credentials, CWE: "CWE-532", Title: "Credential in what the session typed or ran",
		Description:    "Arguments, results and logs of actions are kept in the trace, and traces are handed around.",
		Recommendation: "Use credentials in tests that are worth nothing elsewhere, and run tracedeck redact before a trace is handed on."},
	{Code: "data-without-auth", Category: Auth, CWE: "CWE-306", Title: "Endpoint answers with personal data without authentication",
		Description:    "The request carried no authorization header, no session cookie and no signature, and the answer held personal data.",
		Recommendation: "Ask for authentication. If the data is meant to be public, make sure that nothing more is sent than is shown."},
	{Code: "works-without-auth", Category: Auth, CWE: "CWE-306", Title: "Endpoint answers with personal data with and without authentication",
		Description:    "The same endpoint was called with credentials and without, and answered with personal data both times.",
		Recommendation: "Check on the server that the request is authenticated, not only in the page."},
	{Code: "pii-in-url", Category: Personal, CWE: "CWE-598", Title: "Personal data in a URL",
		Description:    "Addresses are kept in server logs, browser history and caches, and sent on in Referer headers.",
		Recommendation: "Send it in the request's body, or name the person by an opaque id."},
	{Code: "pii-in-response", Category: Personal, CWE: "CWE-359", Title: "Personal data in a response",
		Description:    "Everything in the answer can be read in the browser, also what the page does not show.",
		Recommendation: "Send only the fields that the page needs, and mask numbers."},
	{Code: "pii-in-websocket", Category: Personal, CWE: "CWE-359", Title: "Personal data in a WebSocket message",
		Description:    "Everything in the message can be read in the browser, also what the page does not show.",
		Recommendation: "Send only the fields that the page needs, and mask numbers."},
	{Code: "pii-in-console", Category: Personal, CWE: "CWE-532", Title: "Personal data in a log",
		Description:    "Console messages and test output are collected by monitoring, CI and extensions.",
		Recommendation: "Remove the message, or log an opaque id."},
	{Code: "pii-to-third-party", Category: Personal, CWE: "CWE-359", Title: "Personal data sent to a third party",
		Description:    "The request went to another site than the page's.",
		Recommendation: "Send it only where there is a reason and a contract, and hash or leave out what is not needed."},
	{Code: "pii-in-page", Category: Personal, CWE: "CWE-359", Title: "Personal data in a page",
		Description:    "What stands in a page or its fields can be read by every script in it and by extensions, and is in each of the trace's snapshots.",
		Recommendation: "Show only what is needed, such as the last digits of a number, and use made-up people in tests."},
	{Code: "pii-in-action", Category: Personal, CWE: "CWE-359", Title: "Personal data in what the session typed or ran",
		Description:    "Arguments, results and logs of actions are kept in the trace, and traces are handed around.",
		Recommendation: "Use made-up people in tests, and run tracedeck redact --typed before a trace is handed on."},
	{Code: "http-request", Category: Transport, CWE: "CWE-319", Title: "Request over plain HTTP",
		Description:    "Whoever is on the way can read and change it.",
		Recommendation: "Use https, and redirect http to it with HSTS."},
	{Code: "secret-over-http", Category: Transport, CWE: "CWE-319", Title: "Credential sent over plain HTTP",
		Description:    "Whoever is on the way can read it and use it.",
		Recommendation: "Use https only, mark cookies Secure, and replace what was sent."},
	{Code: "mixed-content", Category: Transport, CWE: "CWE-319", Title: "Mixed content: an HTTPS page loads over HTTP",
		Description:    "Whoever is on the way can change what the page loads, and with it the page.",
		Recommendation: "Load it over https; Content-Security-Policy: upgrade-insecure-requests does so for all."},
	{Code: "insecure-websocket", Category: Transport, CWE: "CWE-319", Title: "WebSocket without encryption",
		Description:    "Whoever is on the way can read and change its messages.",
		Recommendation: "Use wss."},
	{Code: "missing-hsts", Category: Headers, CWE: "CWE-319", Title: "No Strict-Transport-Security header",
		Description:    "Without it the first request of a visit can be made over plain HTTP.",
		Recommendation: "Send Strict-Transport-Security: max-age=31536000; includeSubDomains."},
	{Code: "missing-csp", Category: Headers, CWE: "CWE-693", Title: "No Content-Security-Policy header",
		Description:    "Without it nothing limits which scripts an injected fault can run.",
		Recommendation: "Send a Content-Security-Policy; begin with Content-Security-Policy-Report-Only."},
	{Code: "missing-nosniff", Category: Headers, CWE: "CWE-693", Title: "No X-Content-Type-Options header",
		Description:    "Browsers may take a file for another kind than it was sent as.",
		Recommendation: "Send X-Content-Type-Options: nosniff."},
	{Code: "missing-frame-options", Category: Headers, CWE: "CWE-1021", Title: "Page can be framed by any site",
		Description:    "Another site can show the page in a frame and have people click in it unknowingly.",
		Recommendation: "Send Content-Security-Policy: frame-ancestors 'self', or X-Frame-Options: SAMEORIGIN."},
	{Code: "missing-referrer-policy", Category: Headers, CWE: "CWE-200", Title: "No Referrer-Policy header",
		Description:    "What browsers send to other sites is then up to them.",
		Recommendation: "Send Referrer-Policy: strict-origin-when-cross-origin."},
	{Code: "missing-permissions-policy", Category: Headers, CWE: "CWE-693", Title: "No Permissions-Policy header",
		Description:    "Frames and scripts may ask for camera, position and the like.",
		Recommendation: "Send a Permissions-Policy that turns off what the page does not use."},
	{Code: "cookie-without-httponly", Category: Cookies, CWE: "CWE-1004", Title: "Session cookie that scripts can read",
		Description:    "A script that gets into the page can take the session with it.",
		Recommendation: "Set HttpOnly."},
	{Code: "cookie-without-secure", Category: Cookies, CWE: "CWE-614", Title: "Cookie that is sent over plain HTTP too",
		Description:    "One request over http gives it away.",
		Recommendation: "Set Secure."},
	{Code: "cookie-without-samesite", Category: Cookies, CWE: "CWE-1275", Title: "Cookie without SameSite",
		Description:    "Whether other sites' requests carry it is then up to the browser.",
		Recommendation: "Set SameSite=Lax, or Strict."},
}

var ruleOf = func() map[string]*verdict.Rule {
	m := map[string]*verdict.Rule{}
	for i := range Rules {
		m[Rules[i].Code] = &Rules[i]
	}
	return m
}()
