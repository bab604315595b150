// Package regression shows what a run came to: as a page that needs no server, as
// Markdown for a pull request, and as JUnit XML for CI.
package regression

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/web"
)

// DefaultInline is up to how many pictures a page has inside itself.
const DefaultInline = 30

// Pictures gives a report the pictures that it shows.
type Pictures interface {
	// Picture is the bytes of a picture.
	Picture(ctx context.Context, ref blob.Ref) ([]byte, error)
	// Draw writes a PNG of what differs.
	Draw(ctx context.Context, w io.Writer, session string, p *run.Picture) error
}

// PageOptions say how a page is made.
type PageOptions struct {
	// Inline is up to how many pictures are put into the page: DefaultInline if 0, none if negative. With more
	// they are files in the folder "pictures" beside it.
	Inline int
	// ApproveAt is the address to which the page posts what is to be approved; empty for a page without a server.
	ApproveAt string
	// Nonce, if set, is the nonce of the page's own script and style; it is random otherwise.
	Nonce string
}

//go:embed page.html
var pageFile embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{
		"percent": func(r float64) string { return strconv.FormatFloat(r*100, 'g', 4, 64) + " %" },
		"plural":  plural,
	}).ParseFS(pageFile, "page.html"))
})

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// page is what the template shows.
type page struct {
	*run.Summary
	Nonce, ApproveAt string
	// Policy is the page's own, for when it is opened from a disk.
	Policy        string
	Script        template.JS
	Style         template.CSS
	Cards         []card
	Passed        []run.Session
	Headline      string
	HeadlineClass string
	Broken        []run.Session
}

// card is one picture that is worth looking at.
type card struct {
	ID, Session string
	*run.Picture
	Expected, Actual, Changes template.URL
	Command                   string
	Modes                     bool // whether there are two pictures to compare
}

// Files writes the page of a run into dir, as report.html, and the pictures
// beside it if there are many. It returns the path of the page.
func Files(ctx context.Context, dir string, s *run.Summary, pictures Pictures, o PageOptions) (string, error) {
	limit := o.Inline
	if limit == 0 {
		limit = DefaultInline
	}
	b := &builder{ctx: ctx, pictures: pictures, seen: map[string]template.URL{}}
	if count(s) > limit {
		b.dir = filepath.Join(dir, "pictures")
		if err := os.MkdirAll(b.dir, 0o777); err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	if err := b.write(&out, s, o); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "report.html")
	return name, os.WriteFile(name, out.Bytes(), 0o644)
}

// Page writes the page of a run, with the pictures inside.
func Page(ctx context.Context, w io.Writer, s *run.Summary, pictures Pictures, o PageOptions) error {
	b := &builder{ctx: ctx, pictures: pictures, seen: map[string]template.URL{}}
	return b.write(w, s, o)
}

// count is how many pictures the page of a run shows.
func count(s *run.Summary) (n int) {
	for _, session := range s.Sessions {
		for _, p := range session.Pictures {
			if p.Status == run.Pass {
				continue
			}
			for _, b := range []*baseline.Baseline{p.Expected, p.Actual} {
				if b != nil {
					n++
				}
			}
			if p.Expected != nil && p.Actual != nil {
				n++
			}
		}
	}
	return n
}

type builder struct {
	ctx      context.Context
	pictures Pictures
	dir      string // "" to put pictures into the page
	seen     map[string]template.URL
}

// Policy is the content security policy of a page with that nonce: its own
// script and style, pictures, nothing from elsewhere.
func Policy(nonce, connect string) string {
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce + "'; img-src data: 'self' file:; connect-src " + connect + "; base-uri 'none'; form-action 'none'"
}

func (b *builder) write(w io.Writer, s *run.Summary, o PageOptions) error {
	p := page{Summary: s, Nonce: o.Nonce, ApproveAt: o.ApproveAt}
	if p.Nonce == "" {
		p.Nonce = Nonce()
	}
	connect := "'none'"
	if o.ApproveAt != "" {
		connect = "'self'"
	}
	p.Policy = Policy(p.Nonce, connect)
	script, style, err := Assets()
	if err != nil {
		return err
	}
	p.Script, p.Style = template.JS(script), template.CSS(style)
	p.Headline, p.HeadlineClass = Headline(s)
	for i := range s.Sessions {
		if err := b.session(&p, &s.Sessions[i]); err != nil {
			return err
		}
	}
	return pageTemplate().ExecuteTemplate(w, "page.html", p)
}

// Nonce is the random name that a page gives to its own script and style.
func Nonce() string {
	var n [16]byte
	_, _ = rand.Read(n[:]) // never fails; see crypto/rand
	return hex.EncodeToString(n[:])
}

// Assets are the script and the style of reports.
func Assets() (script, style []byte, err error) {
	if script, err = fs.ReadFile(web.Dist(), "report/report.js"); err != nil {
		return nil, nil, err
	}
	style, err = fs.ReadFile(web.Dist(), "report/report.css")
	return script, style, err
}

// Headline says in a few words what a run came to, and which status that is.
func Headline(s *run.Summary) (text, class string) {
	t := s.Totals
	var parts []string
	note := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, plural(n, one, many))
		}
	}
	note(t.Errors, "session with errors", "sessions with errors")
	note(t.DiffScreenshots, "picture differs", "pictures differ")
	note(t.NewScreenshots, "new picture", "new pictures")
	note(t.Flaky, "flaky picture", "flaky pictures")
	switch {
	case t.Errors > 0:
		class = "error"
	case t.DiffScreenshots > 0:
		class = "diff"
	case t.NewScreenshots > 0:
		class = "new"
	case t.Flaky > 0:
		class = "flaky"
		parts = append([]string{"No differences"}, parts...)
	default:
		return "No differences", "pass"
	}
	return strings.Join(parts, ", "), class
}

func (b *builder) session(p *page, s *run.Session) error {
	cards := len(p.Cards)
	for i := range s.Pictures {
		pic := &s.Pictures[i]
		if pic.Status == run.Pass {
			continue
		}
		c, err := b.card(s.ID, pic)
		if err != nil {
			return err
		}
		c.ID = fmt.Sprintf("p%d", len(p.Cards)+1)
		p.Cards = append(p.Cards, *c)
	}
	if len(s.Errors) > 0 {
		p.Broken = append(p.Broken, *s)
	} else if len(p.Cards) == cards {
		p.Passed = append(p.Passed, *s)
	}
	return nil
}

func (b *builder) card(session string, p *run.Picture) (*card, error) {
	c := &card{Session: session, Picture: p, Command: ApproveCommand(session, p.Key)}
	var err error
	if p.Expected != nil {
		if c.Expected, err = b.url(p.Expected.Digest); err != nil {
			return nil, err
		}
	}
	if p.Actual != nil {
		if c.Actual, err = b.url(p.Actual.Digest); err != nil {
			return nil, err
		}
	}
	if c.Expected != "" && c.Actual != "" {
		c.Modes = true
		c.Changes, err = b.changes(session, p)
	}
	return c, err
}

// url is where a picture is found, and empty if it cannot be had.
func (b *builder) url(ref blob.Ref) (template.URL, error) {
	if u, ok := b.seen[ref.Hex()]; ok {
		return u, nil
	}
	data, err := b.pictures.Picture(b.ctx, ref)
	if err != nil {
		return "", b.ctx.Err()
	}
	return b.put(ref.Hex(), data)
}

func (b *builder) put(name string, data []byte) (template.URL, error) {
	kind := http.DetectContentType(data)
	if !strings.HasPrefix(kind, "image/") {
		return "", nil
	}
	u := template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
	if b.dir != "" {
		file := name + "." + strings.TrimPrefix(kind, "image/")
		if err := os.WriteFile(filepath.Join(b.dir, file), data, 0o644); err != nil {
			return "", err
		}
		u = template.URL("pictures/" + file)
	}
	b.seen[name] = u
	return u, nil
}

func (b *builder) changes(session string, p *run.Picture) (template.URL, error) {
	var buf bytes.Buffer
	if err := b.pictures.Draw(b.ctx, &buf, session, p); err != nil {
		return "", b.ctx.Err()
	}
	return b.put(p.Expected.Digest.Hex()[:32]+p.Actual.Digest.Hex()[:32]+"-changes", buf.Bytes())
}

// ApproveCommand is the command that makes one picture of the newest run the
// baseline.
func ApproveCommand(session, key string) string {
	return "tracedeck approve --session " + Quote(session) + " --key " + Quote(key)
}

// Quote makes a word of a text for the shell, and for the patterns of approve.
func Quote(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
	plain := s != ""
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./@:=+,", c)) {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
