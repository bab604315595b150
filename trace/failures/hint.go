package failures

import (
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// rule concludes something from the evidence, or nothing ("").
type rule struct {
	name string
	says func(f *finder, out *Failure, e *trace.Failure) string
}

// rules are asked in this order; what is most likely the cause comes first.
// Each says only what the recording holds.
var rules = []rule{
	{"server-error-first", serverErrorFirst},
	{"same-words", sameWords},
	{"no-answer", noAnswer},
	{"answer-pending", answerPending},
	{"sign-in-lost", signInLost},
	{"cors", said(`(?i)blocked by CORS policy|Access-Control-Allow-Origin`, "the browser refused an answer of another origin (CORS)")},
	{"chunk-not-loaded", said(`(?i)ChunkLoadError|Loading (CSS )?chunk \S+ failed|dynamically imported module`, "a part of the application did not load: was it deployed anew during the test?")},
	{"content-security-policy", said(`(?i)Content Security Policy|Refused to (load|execute|connect)`, "the page's Content Security Policy refused something")},
	{"uncaught-error-before", uncaughtBefore},
	{"page-gone", said(`(?i)(page|context|browser) has been closed|Target (page|closed)|page crashed|Target crashed`, "the page or the browser was closed or crashed while the action ran")},
	{"many-matches", said(`(?i)strict mode violation`, "the locator matches several elements: make it say which one")},
	{"never-found", waited("no element matched", "no element matched the locator: did the page get there, or was the element renamed?")},
	{"covered", waited("another element lay above", "another element covers the target")},
	{"invisible", waited("stayed invisible", "the target is in the page but not visible")},
	{"disabled", waited("stayed disabled", "the target stays disabled: is an input missing that enables it?")},
	{"wrong-value", waited("never had the expected value", "")},
	{"not-reached", said(`(?i)net::ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|CONNECTION_RESET|ADDRESS_UNREACHABLE)|ECONNREFUSED`, "the server was not reached: was it started?")},
	{"quiet-wait", quietWait},
}

func (f *finder) hints(out *Failure, e *trace.Failure) []Hint {
	var list []Hint
	for _, r := range rules {
		if text := r.says(f, out, e); text != "" {
			list = append(list, Hint{r.name, f.clean(text, 300)})
		}
	}
	return list
}

// said holds where the failure or a message around it matches.
func said(pattern, text string) func(*finder, *Failure, *trace.Failure) string {
	re := lazyregexp.New(pattern)
	return func(_ *finder, out *Failure, _ *trace.Failure) string {
		if re.MatchString(out.Message) || re.MatchString(out.Detail) {
			return text
		}
		for _, m := range out.Console {
			if re.MatchString(m.Text) {
				return text
			}
		}
		return ""
	}
}

// waited holds where the log of the action says so.
func waited(part, text string) func(*finder, *Failure, *trace.Failure) string {
	return func(_ *finder, out *Failure, _ *trace.Failure) string {
		if !strings.Contains(out.Waited, part) {
			return ""
		}
		if text != "" {
			return text
		}
		if value := lastValue(out.Log); value != "" {
			return "the last value seen was " + value
		}
		return ""
	}
}

var unexpected = lazyregexp.New(`unexpected value (".*")`)

func lastValue(log []string) string {
	for i := len(log) - 1; i >= 0; i-- {
		if m := unexpected.FindStringSubmatch(log[i]); m != nil {
			return m[1]
		}
	}
	return ""
}

func serverErrorFirst(_ *finder, out *Failure, _ *trace.Failure) string {
	for _, r := range out.Requests {
		if r.Status >= 500 && r.After <= 0 {
			return fmt.Sprintf("%s %s answered %d, %s before the failure", r.Method, ShortURL(r.URL), r.Status, ago(r.After))
		}
	}
	return ""
}

func noAnswer(_ *finder, out *Failure, _ *trace.Failure) string {
	for _, r := range out.Requests {
		if r.Status == 0 && !r.Pending && r.After <= 0 && !strings.Contains(r.Failure, "ABORTED") && !strings.Contains(r.Failure, "aborted") {
			return fmt.Sprintf("%s %s got no answer: %s", r.Method, ShortURL(r.URL), r.Failure)
		}
	}
	return ""
}

func answerPending(_ *finder, out *Failure, _ *trace.Failure) string {
	for _, r := range out.Requests {
		if r.Pending {
			return fmt.Sprintf("%s %s was not answered by then", r.Method, ShortURL(r.URL))
		}
	}
	return ""
}

var signIn = lazyregexp.New(`(?i)/(log-?in|sign-?in|auth|oauth|sso|session/new)\b`)

// signInLost holds for a 401 or 403 after which the page went to sign in.
func signInLost(f *finder, out *Failure, e *trace.Failure) string {
	for _, r := range out.Requests {
		if r.Status != 401 && r.Status != 403 {
			continue
		}
		if signIn.MatchString(out.Page) && !signIn.MatchString(r.URL) {
			return fmt.Sprintf("%s %s answered %d, and the page is at %s: the sign-in was lost", r.Method, ShortURL(r.URL), r.Status, ShortURL(out.Page))
		}
		return fmt.Sprintf("%s %s answered %d: is the session signed in, and may it do that?", r.Method, ShortURL(r.URL), r.Status)
	}
	return ""
}

func uncaughtBefore(_ *finder, out *Failure, _ *trace.Failure) string {
	for _, m := range out.Console {
		if m.Uncaught && m.After <= 0 {
			return fmt.Sprintf("an uncaught error came %s before: %s", ago(m.After), m.Text)
		}
	}
	return ""
}

var word = lazyregexp.New(`[\p{L}\p{N}_.$-]{4,}`)

// sameWords holds where a failed request's answer uses a rare word of the
// failure's message: an id, or the name of a field.
func sameWords(_ *finder, out *Failure, e *trace.Failure) string {
	for _, r := range out.Requests {
		if r.Received == "" {
			continue
		}
		for _, w := range word.FindAllString(out.Message, 40) {
			if rare(w) && strings.Contains(r.Received, w) {
				return fmt.Sprintf("%q of the message is also in the answer of %s %s", w, r.Method, ShortURL(r.URL))
			}
		}
	}
	return ""
}

// rare holds for words with digits, dots or inner capitals, which are names.
func rare(w string) bool {
	if strings.ContainsAny(w, "0123456789_.$") {
		return len(strings.Trim(w, "0123456789.")) > 0 || len(w) > 5
	}
	return strings.ToLower(w[1:]) != w[1:] && !strings.HasSuffix(w, "Error")
}

// quietWait holds for a wait that ended long after the last thing happened in
// the network: more time would hardly have helped.
func quietWait(f *finder, out *Failure, e *trace.Failure) string {
	if e.Action == nil || !strings.Contains(strings.ToLower(out.Message+out.Name), "timeout") {
		return ""
	}
	last := e.Action.Start
	for _, r := range f.t.Network {
		if r.Pending() && r.Start <= e.Time {
			return ""
		}
		if r.End <= e.Time {
			last = max(last, r.End)
		}
	}
	quiet := e.Time.Sub(last)
	if quiet < time.Second || quiet < e.Time.Sub(e.Action.Start)/2 {
		return ""
	}
	return fmt.Sprintf("nothing was loading in the last %s of the wait: a longer timeout would hardly have helped", quiet.Round(100*time.Millisecond))
}

func ago(after float64) string {
	return (time.Duration(-after * 1e6)).Round(time.Millisecond).String()
}
