package redact

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// pattern is a form that gives a secret away. The gate must occur in a text
// for the form to be looked for.
type pattern struct {
	name  string
	gate  string
	form  *lazyregexp.Regexp
	valid func(string) bool
}

// form is a pattern. Where its expression begins at the edge of a word, a "_" may
// stand before it too, as in names of files and functions.
func form(name, gate, expr string) pattern {
	if rest, ok := strings.CutPrefix(expr, `\b`); ok {
		expr = `(?:\b|_)(` + rest + `)`
	}
	return pattern{name: name, gate: gate, form: lazyregexp.New(expr)}
}

var patterns = sync.OnceValue(func() []pattern {
	return []pattern{
		{"private key", "PRIVATE KEY", lazyregexp.New(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-])*(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`), nil},
		{"JWT", "eyJ", lazyregexp.New(`(?:\b|_)(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*)`), validJWT},
		{"base64 of a JWT", "ZXlK", lazyregexp.New(`(?:\b|_)(ZXlK[A-Za-z0-9+/_-]{40,})`), valid64JWT},
		form("Bedrock key", "ABSK", `\bABSK[A-Za-z0-9+/]{100,280}`),
		form("Bedrock key", "bedrock-api-key-", `\bbedrock-api-key-[A-Za-z0-9+/_-]{20,}`),
		form("Anthropic key", "sk-ant-", `\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{20,}`),
		form("AWS access key", "A", `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`),
		form("GitHub token", "gh", `\bgh[pousr]_[A-Za-z0-9]{30,255}\b`),
		form("GitHub token", "github_pat_", `\bgithub_pat_[A-Za-z0-9_]{22,255}\b`),
		form("GitLab token", "gl", `\bgl(?:pat|dt|rt|ptt|oas|soat|cbt|ft|imt|agent)-[A-Za-z0-9_-]{20,}`),
		form("Slack token", "xox", `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`),
		form("Slack token", "xapp-", `\bxapp-[0-9]-[A-Za-z0-9-]{10,}`),
		form("Slack address", "hooks.slack.com", `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}`),
		form("Stripe key", "_", `\b(?:sk|rk|whsec)_(?:live_|test_|prod_)?[A-Za-z0-9]{16,}\b`),
		form("Google key", "AIza", `\bAIza[A-Za-z0-9_-]{35}`),
		form("Google token", "ya29.", `\bya29\.[A-Za-z0-9_-]{20,}`),
		form("Google secret", "GOCSPX-", `\bGOCSPX-[A-Za-z0-9_-]{20,}`),
		form("OpenAI key", "sk-", `\bsk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]+-)?[A-Za-z0-9_-]{20,}`),
		form("npm token", "npm_", `\bnpm_[A-Za-z0-9]{36}\b`),
		form("PyPI token", "pypi-", `\bpypi-[A-Za-z0-9_-]{50,}`),
		form("SendGrid key", "SG.", `\bSG\.[A-Za-z0-9_=.-]{40,70}`),
		form("Twilio key", "SK", `\bSK[0-9a-f]{32}\b`),
		form("Mailgun key", "key-", `\bkey-[0-9a-f]{32}\b`),
		form("Shopify token", "shp", `\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b`),
		form("Square token", "sq0", `\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}`),
		form("DigitalOcean token", "_v1_", `\bdo[opr]_v1_[0-9a-f]{64}\b`),
		form("Databricks token", "dapi", `\bdapi[0-9a-f]{32}(?:-\d)?\b`),
		form("Linear key", "lin_", `\blin_(?:api|oauth)_[A-Za-z0-9]{32,}`),
		form("Notion token", "ntn_", `\bntn_[A-Za-z0-9]{40,}`),
		form("Postman key", "PMAK-", `\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b`),
		form("Vault token", "hv", `\bhv[sbr]\.[A-Za-z0-9_-]{24,}`),
		form("New Relic key", "NRAK-", `\bNRAK-[A-Z0-9]{27}\b`),
		form("Atlassian token", "ATATT3", `\bATATT3[A-Za-z0-9_=-]{50,}`),
		form("Telegram token", ":AA", `\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`),
		form("Sentry address", "sentry", `https?://[0-9a-f]{32}:[0-9a-f]{32}@[a-z0-9.-]*sentry[a-z0-9./-]*`),
		form("Mapbox token", "sk.eyJ", `\bsk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{10,}`),
		form("Hugging Face token", "hf_", `\bhf_[A-Za-z]{34}\b`),
		form("Docker token", "dckr_", `\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`),
		form("Fly token", "FlyV1", `\bFlyV1 fm[0-9a-z]*_[A-Za-z0-9+/=,_-]{40,}`),
		form("Fly token", "fm", `\bfm[12]r?_[A-Za-z0-9+/=_,-]{80,}`),
		form("Fly token", "fo1_", `\bfo1_[A-Za-z0-9_-]{40,}`),
		form("Cloudflare key", "v1.0-", `\bv1\.0-[0-9a-f]{24}-[0-9a-f]{100,}`),
		form("Doppler token", "dp.", `\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}`),
		form("Dynatrace token", "dt0", `\bdt0[a-z]\d{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`),
		form("EasyPost key", "EZ", `\bEZ[AT]K[A-Za-z0-9]{54}\b`),
		form("Facebook token", "EAA", `\bEAA[A-Z][A-Za-z0-9]{80,}\b`),
		form("Grafana token", "gl", `\bgl(?:c|sa)_[A-Za-z0-9+/]{32,}(?:_[0-9a-fA-F]{8})?`),
		form("Heroku key", "HRKU-AA", `\bHRKU-AA[A-Za-z0-9_-]{58}\b`),
		form("Perplexity key", "pplx-", `\bpplx-[A-Za-z0-9]{48}\b`),
		form("PlanetScale token", "pscale_", `\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}`),
		form("Pulumi token", "pul-", `\bpul-[0-9a-f]{40}\b`),
		form("RubyGems key", "rubygems_", `\brubygems_[0-9a-f]{48}\b`),
		form("Brevo key", "xkeysib-", `\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b`),
		form("Sentry token", "sntry", `\bsntry[su]_[A-Za-z0-9+/=_-]{40,}`),
		form("1Password token", "ops_eyJ", `\bops_eyJ[A-Za-z0-9+/=_-]{100,}`),
		form("Azure client secret", "Q~", `\b[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`),
		form("age key", "AGE-SECRET-KEY-1", `\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b`),
	}
})

// validJWT keeps what only looks like a token from being one: its first part
// must be a JSON object.
func validJWT(s string) bool {
	head, _, _ := strings.Cut(s, ".")
	b, err := base64.RawURLEncoding.DecodeString(head)
	return err == nil && json.Valid(b)
}

// valid64JWT decodes a token that was put into base64 once more.
func valid64JWT(s string) bool {
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(s)
	b, err := base64.RawStdEncoding.DecodeString(plain[:len(plain)/4*4])
	return err == nil && strings.Count(string(b), ".") >= 1 && validJWT(string(b))
}

// places returns where the pattern's secrets are in a text.
func (p *pattern) places(text string) (list [][2]int) {
	if p.gate != "" && !strings.Contains(text, p.gate) {
		return nil
	}
	for _, m := range p.form.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[0], m[1]
		if len(m) > 3 && m[2] >= 0 {
			from, to = m[2], m[3]
		}
		if from < to && (p.valid == nil || p.valid(text[from:to])) {
			list = append(list, [2]int{from, to})
		}
	}
	return list
}
