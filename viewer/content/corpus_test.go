package content_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// shown is what a page shows: what Playwright's viewer showed (the corpus's
// expected files), or what ours does.
type shown struct {
	Rendered bool
	Snapshot struct {
		Call, Frame string
		Phase       trace.Phase
	}
	Title       string
	Text        string
	Fields      []string
	Scrolled    []string
	Fonts       []string
	ShadowRoots int
	Highlighted int
	OpenDialogs int
	Frames      []shown
	FrameSrcs   int
}

type expectedFile struct {
	Snapshots []struct{ Before, Action, After shown }
}

const reportScript = `() => {
  const text = n => {
    if (n.nodeType === 3) return n.data;
    if (n.nodeType === 1 && ['STYLE', 'SCRIPT', 'TEMPLATE', 'NOSCRIPT', 'X-NOSCRIPT', 'HEAD'].includes(n.tagName)) return '';
    if (n.nodeType === 1 && n.tagName === 'TEXTAREA') return '\u0001';
    let s = '';
    if (n.shadowRoot) s += text(n.shadowRoot);
    for (const c of n.childNodes) s += text(c) + (c.nodeType === 1 ? ' ' : '');
    return s;
  };
  const all = [];
  const walk = root => { for (const e of root.querySelectorAll('*')) { all.push(e); if (e.shadowRoot) walk(e.shadowRoot); } };
  walk(document);
  const fields = all.filter(e => ['INPUT', 'TEXTAREA', 'SELECT'].includes(e.tagName)).map(e => {
    const name = e.id || e.name || e.tagName.toLowerCase();
    if (e.type === 'checkbox' || e.type === 'radio') return name + '=' + e.checked;
    if (e.multiple && e.tagName === 'SELECT') return name + '=' + [...e.selectedOptions].map(o => o.value).join('+');
    return name + '=' + e.value;
  });
  return {
    title: document.title, text: text(document.documentElement), fields,
    scrolled: all.filter(e => e.scrollTop || e.scrollLeft).map(e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + '=' + Math.round(e.scrollLeft) + ',' + Math.round(e.scrollTop)),
    fonts: [...document.fonts].filter(f => f.status === 'loaded').map(f => f.family.replace(/"/g, '')),
    shadowRoots: all.filter(e => e.shadowRoot).length,
    highlighted: all.filter(e => /rgb\(0, 106, 177\)/.test(e.style?.outlineColor || '')).length,
    openDialogs: all.filter(e => e.tagName === 'DIALOG' && e.open).length,
    frameSrcs: all.filter(e => (e.tagName === 'IFRAME' || e.tagName === 'FRAME') && e.getAttribute('src')).length,
  };
}`

// TestPagesShowWhatTheyShowed compares rebuilt pages in Chromium with what
// Playwright's viewer shows of the same snapshots.
func TestPagesShowWhatTheyShowed(t *testing.T) {
	browser := chromium(t)
	page, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, dir := range []string{"playwright", "playwright/old"} {
		zips, _ := filepath.Glob(corpus(dir, "*.zip"))
		for _, zip := range zips {
			name := strings.TrimSuffix(filepath.Base(zip), ".zip")
			t.Run(name, func(t *testing.T) {
				c := &comparison{t: t, s: serve(t, zip, content.Options{}), page: page, done: map[int]bool{}}
				c.file(corpus(dir, "expected", name+".json"))
				compared += len(c.done)
			})
		}
	}
	if compared < 200 {
		t.Errorf("only %d pages were compared", compared)
	}
}

// TestPictureSnapshots opens those of Vibium, which are a picture each.
func TestPictureSnapshots(t *testing.T) {
	page, err := chromium(t).Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"v26.2.28-basic.zip", "v26.8.21-png.zip"} {
		c := &comparison{t: t, s: serve(t, corpus("vibium", name), content.Options{}), page: page}
		if c.s.store.Len() == 0 {
			t.Errorf("%s: no snapshots", name)
		}
		for n := range c.s.store.Len() {
			c.show(n)
			v, err := page.Eval(`() => document.images.length === 1 && document.images[0].naturalWidth > 100`)
			if err != nil || !v.Value.Bool() {
				t.Errorf("%s: snapshot %d shows no picture: %v", name, n, err)
			}
		}
	}
}

type comparison struct {
	t    *testing.T
	s    *served
	page *rod.Page
	done map[int]bool
}

func (c *comparison) file(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	var want expectedFile
	if err := json.Unmarshal(text, &want); err != nil {
		c.t.Fatal(err)
	}
	every := 1
	if !varied[strings.TrimSuffix(filepath.Base(path), ".json")] {
		every = 4
	}
	seen := 0
	for _, s := range want.Snapshots {
		for _, one := range []shown{s.Before, s.Action, s.After} {
			if one.Rendered && one.Snapshot.Call != "" {
				if seen++; seen%every == 0 {
					c.one(one)
				}
			}
		}
	}
}

// varied are traces of which each page is another. Of the others every fourth
// is compared.
var varied = map[string]bool{"forms": true, "frames": true, "shadow": true, "network": true, "big-dom": true, "v8-pw-1.62.0": true}

// one compares a page, and the frames in it.
func (c *comparison) one(want shown) {
	call := want.Snapshot.Call
	for _, a := range c.s.t.Actions { // Playwright's viewer renames the calls of old versions
		if a.Before.StepID == call {
			call = a.ID()
			break
		}
	}
	n, ok := c.s.store.Lookup(snapshot.Key{CallID: call, Phase: want.Snapshot.Phase, FrameID: want.Snapshot.Frame})
	if !ok {
		c.t.Errorf("no snapshot %+v", want.Snapshot)
		return
	}
	if c.done[n] {
		return
	}
	c.done[n] = true
	got := c.show(n)
	frames := 0
	for _, f := range want.Frames {
		if f.Rendered && f.Snapshot.Frame != "" {
			frames++
			f.Snapshot.Call, f.Snapshot.Phase = want.Snapshot.Call, want.Snapshot.Phase
			c.one(f)
		}
	}
	if got.FrameSrcs < frames {
		c.t.Errorf("%+v: %d frames, want %d", want.Snapshot, got.FrameSrcs, frames)
	}
	if diff := difference(got, want); diff != "" {
		c.t.Errorf("%s %s %s: %s", want.Snapshot.Phase, want.Snapshot.Call, want.Snapshot.Frame, diff)
	}
}

func (c *comparison) show(n int) shown {
	c.t.Helper()
	p, _ := c.s.store.Place(n)
	_ = c.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: int(p.Viewport.Width), Height: int(p.Viewport.Height), DeviceScaleFactor: 1})
	wait := c.page.WaitNavigation(proto.PageLifecycleEventNameLoad)
	if err := c.page.Navigate(fmt.Sprintf("%ssnapshot/%d", c.s.url, n)); err != nil {
		c.t.Fatal(err)
	}
	wait()
	// Fonts are asked for by the layout and may come after the load event.
	if _, err := c.page.Eval(`() => { document.documentElement.getBoundingClientRect(); return document.fonts.ready.then(() => true) }`); err != nil {
		c.t.Fatal(err)
	}
	res, err := c.page.Eval(reportScript)
	if err != nil {
		c.t.Fatal(err)
	}
	var got shown
	if err := res.Value.Unmarshal(&got); err != nil {
		c.t.Fatal(err)
	}
	return got
}

func squash(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "⚠", "")), " ")
}

func difference(got, want shown) string {
	switch {
	case got.Title != want.Title:
		return fmt.Sprintf("title %q, want %q", got.Title, want.Title)
	case !sameText(squash(got.Text), squash(want.Text)):
		return fmt.Sprintf("text %q\nwant %q", squash(got.Text), squash(want.Text))
	case !slices.Equal(got.Fields, want.Fields):
		return fmt.Sprintf("fields %q\nwant %q", got.Fields, want.Fields)
	case !slices.Equal(got.Scrolled, want.Scrolled):
		return fmt.Sprintf("scrolled %q, want %q", got.Scrolled, want.Scrolled)
	case !slices.Equal(got.Fonts, want.Fonts):
		return fmt.Sprintf("fonts %q, want %q", got.Fonts, want.Fonts)
	// In old versions Playwright's viewer loses some of the targets.
	case got.ShadowRoots != want.ShadowRoots || got.Highlighted < want.Highlighted || got.OpenDialogs != want.OpenDialogs:
		return fmt.Sprintf("%d shadow roots, %d targets, %d dialogs; want %d, %d, %d",
			got.ShadowRoots, got.Highlighted, got.OpenDialogs, want.ShadowRoots, want.Highlighted, want.OpenDialogs)
	}
	return ""
}

// sameText compares text that may be cut off. \x01 stands for the value of a
// TEXTAREA, for which the other has its first value.
func sameText(got, want string) bool {
	cut, isCut := strings.CutSuffix(want, "…")
	if isCut {
		known, _, _ := strings.Cut(got, "\x01")
		n := min(len(known), len(cut))
		return strings.TrimSpace(known[:n]) == strings.TrimSpace(cut[:n])
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(got), "\x01", `\s*.*?\s*`)
	pattern = strings.ReplaceAll(pattern, " ", `\s*`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(want)
}
