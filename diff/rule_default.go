package diff

// RulesVersion names the set of default rules. It changes when the rules do,
// because results made with other rules cannot be compared.
const RulesVersion = "2"

// DefaultRules returns the rules that hold unless they are replaced or
// switched off, in the order in which they are tried.
func DefaultRules() []Rule {
	return append(textRules(), fieldRules()...)
}

const fileEnd = `(\.(?:m?js|cjs|css|map|json|html?|wasm|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|mp4|webm)\b)`

// textRules mask parts of texts by what they look like.
func textRules() []Rule {
	return []Rule{
		{Name: "colour-codes", Scopes: []Scope{InMessage, InStep}, Pattern: `\x1b\[[0-9;?]*[A-Za-z]`},
		{Name: "local-host", Pattern: `(?i)\b(https?|wss?)://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d+)?`, Replacement: "$1://[local]"},
		{Name: "local-port", Pattern: `(?i)\b(localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b`, Replacement: "$1:[port]"},
		{Name: "blob", Pattern: `\bblob:[^\s"'()<>]*[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}`, Replacement: "blob:[uuid]"},
		{Name: "data-uri", Scopes: []Scope{InMessage}, Pattern: `\bdata:[\w.+-]+/[\w.+-]+(?:;[\w=.+-]+)*,[^\s"'()<>]*`, Replacement: "[data]"},
		{Name: "token", Pattern: `\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*|\b(?:gh[pousr]_|github_pat_|sk_|pk_|sk-|xox[abprs]-|AKIA)[A-Za-z0-9_-]{12,}`, Replacement: "[token]"},
		{Name: "authorization", Pattern: `(?i)\b(Bearer|Basic) [\w.~+/-]{8,}=*`, Replacement: "$1 [token]"},
		{Name: "redacted", Pattern: `\bredacted-\d+\b`, Replacement: "[redacted]"}, // what recorders write for a secret, by its turn
		{Name: "uuid", Pattern: `(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\b|_)|\b01[0-9A-HJKMNP-TV-Z]{24}\b`, Replacement: "[uuid]"},
		{Name: "time", Pattern: `\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?` +
			`|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} \d{1,2}),? \d{4},? \d\d:\d\d:\d\d(?: ?(?:GMT|UTC)(?:[+-]\d{4})?)?(?: \([^()]*\))?` +
			`|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M\b)?`, Replacement: "[time]"},
		{Name: "date", Scopes: []Scope{InMessage}, Pattern: `\b\d{4}-\d\d-\d\d\b`, Replacement: "[date]"},
		{Name: "clock", Scopes: []Scope{InMessage, InDOM}, Pattern: `\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AaPp][Mm]\b)?`, Replacement: "[time]"},
		{Name: "epoch", Pattern: `\b1[4-9]\d{8}(?:\d{3}){0,2}(?:\.\d+)?\b`, Replacement: "[time]"},
		{Name: "duration", Scopes: []Scope{InMessage}, Pattern: `\b\d+(?:\.\d+)? ?(?:ms|milliseconds?|µs|seconds?|s)\b`, Replacement: "[duration]"},
		{Name: "email", Scopes: []Scope{InMessage}, Pattern: `[\w.+-]+@[\w-]+(?:\.[\w-]+)+`, Replacement: "[email]"},
		{Name: "file-hash", Scopes: []Scope{InMessage, InURL, InPath, InHeader, InBody, InDOM}, Mixed: true,
			Pattern: `([-._~])(?P<v>[0-9A-Za-z_]{8,64})` + fileEnd, Replacement: "$1[hash]$3"},
		{Name: "chunk", Scopes: []Scope{InMessage}, Pattern: `(?i)\b((?:loading|css) (?:css )?chunk )[\w~./-]+`, Replacement: "${1}[chunk]"},
		{Name: "hash", Pattern: `(^|[^#\w])(?P<v>[0-9a-fA-F]{8,128})\b`, Mixed: true, Replacement: "$1[hash]"},
		{Name: "object-id", Scopes: []Scope{InMessage}, Pattern: `\b0x[0-9a-fA-F]{4,16}\b`, Replacement: "[address]"},
		{Name: "generated-id", Scopes: []Scope{InDOM, InStep, InMessage},
			Pattern: `:r[0-9a-z]{1,6}:|«r[0-9a-z]{1,6}»|\b(?:radix|headlessui|downshift|react-select|react-aria|floating-ui|mui|mat|cdk|ember|select2|ui-id|el-id|chakra|tippy|popper)-(?:[a-z][a-z-]*-)?\d+(?:-[a-z]+-\d+)*\b`, Replacement: "[id]"},
		{Name: "generated-class", Scopes: []Scope{InDOM, InStep}, Mixed: true,
			Pattern: `\b(css|svelte|emotion|jss|sc|astro|data-v|data-astro-cid|_ngcontent|_nghost)-(?P<v>[0-9a-z]{4,10}(?:-c\d+)?)\b`, Replacement: "$1-[hash]"},
		{Name: "module-class", Scopes: []Scope{InDOM, InStep}, Mixed: true, Pattern: `(\w__)(?P<v>[A-Za-z0-9]{5})\b`, Replacement: "$1[hash]"},
		{Name: "line", Scopes: []Scope{InMessage}, Pattern: `([\w)>\]]):\d+:\d+\b`, Replacement: "$1:[line]"},
		{Name: "script-line", Scopes: []Scope{InMessage}, Pattern: `(\.(?:m?[jt]sx?|vue|svelte|html?|css)(?:\?[\w=&.\[\]-]*)?):\d+\b`, Replacement: "$1:[line]"},
		{Name: "at-line", Scopes: []Scope{InMessage}, Pattern: `(?i)\b(line|column|col|position|offset) \d+`, Replacement: "$1 [line]"},
		{Name: "number", Scopes: []Scope{InMessage}, Pattern: `(?P<keep>(?i:\b(?:status(?: code)?(?: of)?|http(?:/\d(?:\.\d)?)?|code|error|errno|answered|returned|responded with)(?: was| is)?[ :=(#]*[1-5]\d\d\b)` +
			`|\b[1-5]\d\d \([A-Z][A-Za-z' -]+\)|(?i:\berror #?)\d+\b|\b(?:TS|NG0?|ERR_)\d{3,5}\b)|\d{3,}`, Replacement: "[n]"},
		{Name: "path-number", Scopes: []Scope{InPath}, Pattern: `^\d+$`, Replacement: "[n]"},
	}
}

// fieldRules mask values by what they are the value of.
func fieldRules() []Rule {
	return []Rule{
		{Name: "time-header", Scopes: []Scope{InHeader}, Replacement: "[time]",
			Field: `(?i)^(?:date|age|expires|last-modified|if-modified-since|server-timing|x-runtime|x-response-time|x-envoy-upstream-service-time)$`},
		{Name: "id-header", Scopes: []Scope{InHeader}, Replacement: "[id]",
			Field: `(?i)^(?:etag|if-none-match|(?:x-)?request-id|(?:x-)?correlation-id|traceparent|tracestate|baggage|sentry-trace|x-amzn?-.*|cf-.*|x-cache.*|via|nel|report-to|x-served-by|x-timer|x-trace.*|x-b3-.*|x-vercel-id|fly-request-id|sec-websocket-(?:key|accept))$`},
		{Name: "secret-header", Scopes: []Scope{InHeader}, Replacement: "[token]",
			Field: `(?i)^(?:authorization|proxy-authorization|cookie|set-cookie|x-(?:csrf|xsrf)-token|x-api-key)$`},
		{Name: "connection-header", Scopes: []Scope{InHeader}, Replacement: "[connection]",
			Field: `(?i)^(?:connection|keep-alive|host|:authority|content-length|transfer-encoding|alt-svc|user-agent|sec-ch-ua.*|upgrade-insecure-requests)$`},
		{Name: "browser-header", Scopes: []Scope{InRequest}, Replacement: "[browser]",
			Field: `(?i)^(?:accept-encoding|cache-control|pragma|proxy-connection|priority|dnt|te|sec-fetch-.*|sec-gpc|if-none-match|if-modified-since)$`},
		{Name: "token-value", Scopes: []Scope{InBody, InURL, InStorage, InDOM, InStep}, Replacement: "[token]",
			Field: `(?i)(?:csrf|xsrf|nonce|token|session_?id|signature|authenticity|requestverification)\w*$|^(?:sid|sig|code_verifier|code_challenge|integrity)$`},
		{Name: "secret-value", Scopes: []Scope{InBody, InURL, InStorage, InDOM}, Pattern: `(?s)^.+$`, Replacement: "[redacted]",
			Field: `(?i)passw(?:or)?d|passphrase|passcode|^(?:pwd|pass|otp|totp|pin|cvv|cvc|csc|card_?-?number)$`},
		{Name: "request-id", Scopes: []Scope{InBody, InURL, InStorage}, Replacement: "[id]",
			Field: `(?i)(?:trace|span|request|correlation|transaction)_?-?id$`},
		{Name: "id-value", Scopes: []Scope{InBody, InURL, InStorage}, Pattern: `^(?:\d{3,}|[A-Za-z0-9_-]{16,})$`, Replacement: "[id]",
			Field: `(?i:(?:^|[_.-])(?:id|uuid|guid|oid)$)|[a-z](?:Id|ID|Uuid|UUID|Guid)$`},
		{Name: "timing-value", Scopes: []Scope{InBody, InURL}, Pattern: `^\d+(?:\.\d+)?$`, Replacement: "[time]",
			Field: `(?i)(?:elapsed|duration|latency|took|uptime|response_?time)(?:_?ms)?$`},
		{Name: "cache-buster", Scopes: []Scope{InURL}, Pattern: `^[0-9a-f.]{6,}$`, Replacement: "[nonce]",
			Field: `(?i)^(?:_|t|ts|cb|rnd|rand|random|no_?cache|cache_?bust(?:er)?)$`},
		{Name: "scroll", Scopes: []Scope{InDOM}, Replacement: "[scroll]", Field: `^__playwright_scroll_(?:left|top)_$`},
		{Name: "call-details", Scopes: []Scope{InStep}, Replacement: "[call]",
			Field: `^(?:timeout|strict|_.*|context|pageId|frameId|force|noWaitAfter|delay|trial)$`},
	}
}
