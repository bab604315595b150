package tracetest

import (
	"encoding/base64"
	"net/url"
)

type m = map[string]any

const shop = "http://shop.test"

func (g *garden) event(e m) { g.events = append(g.events, e) }

func (g *garden) call(id, method string, params, after m) {
	g.event(m{"type": "before", "callId": id, "startTime": g.tick(), "class": "Frame", "method": method, "params": params, "pageId": "page@1"})
	if after != nil {
		after["type"], after["callId"], after["endTime"] = "after", id, g.tick()
		g.event(after)
	}
}

func (g *garden) page(id, address string, body ...any) {
	g.event(m{"type": "frame-snapshot", "snapshot": m{"callId": id, "phase": "after", "snapshotName": "after@" + id, "pageId": "page@1", "frameId": "frame@1", "frameUrl": address, "doctype": "html",
		"html":     []any{"HTML", m{}, []any{"HEAD", m{}, []any{"TITLE", m{}, "Shop " + g.one("title of a page")}, []any{"META", m{"name": "csrf-token", "content": g.named("meta of a page")}}}, append([]any{"BODY", m{}}, body...)},
		"viewport": m{"width": 800, "height": 600}, "timestamp": g.tick(), "wallTime": 1700000000000, "collectionTime": 1, "resourceOverrides": []any{}, "isMainFrame": true}})
}

// session plants what a session did, and what its pages showed.
func (g *garden) session() {
	storage := []any{m{"name": "auth_token", "value": g.named("local storage")}, m{"name": "state", "value": text(g.object("local storage"))}}
	g.event(m{"version": 10, "type": "context-options", "origin": "library", "browserName": "chromium", "playwrightVersion": "1.65.1", "platform": "linux", "wallTime": 1700000000000, "monotonicTime": 999, "sdkLanguage": "javascript",
		"title": "shop.spec.ts:3 › buys " + g.one("title of a test"),
		"options": m{"baseURL": shop + "/?access_token=" + g.named("base address"), "httpCredentials": m{"username": "bob", "password": g.named("credentials of a context")},
			"extraHTTPHeaders": []any{m{"name": "Authorization", "value": "Bearer " + g.named("headers of a context")}}, "proxy": m{"server": "http://p", "password": g.named("proxy")},
			"storageState": m{"cookies": []any{m{"name": "theme", "value": g.named("stored cookie")}}, "origins": []any{m{"origin": shop, "localStorage": storage}}}}})
	g.event(m{"type": "event", "time": g.tick(), "class": "BrowserContext", "method": "page", "params": m{"pageId": "page@1"}})
	address := shop + "/start?" + g.query("address of a page")
	g.call("call@1", "goto", m{"url": address, "waitUntil": "load"}, m{})
	g.event(m{"type": "log", "callId": "call@1", "time": g.tick(), "message": "navigating to " + address + " " + g.prose("log of an action")})
	g.page("call@1", address,
		[]any{"H1", m{}, g.prose("text of a page")}, []any{"INPUT", m{"type": "password", "__playwright_value_": g.named("password field")}},
		[]any{"INPUT", m{"type": "hidden", "name": "csrf_token", "value": g.named("hidden field")}}, []any{"INPUT", m{"type": "text", "__playwright_value_": g.one("text field")}},
		[]any{"TEXTAREA", m{"__playwright_value_": g.prose("text area")}, ""}, []any{"DIV", m{"data-token": g.named("attribute"), "aria-label": g.one("label")}, "x"},
		[]any{"A", m{"href": shop + "/a?" + g.query("link")}, "go"}, []any{"BUTTON", m{"id": "buy"}, "Buy " + g.one("button")})
	g.call("call@2", "fill", m{"selector": `internal:label="Password"i`, "value": g.named("typed password")}, m{})
	g.call("call@3", "fill", m{"selector": "#q", "value": g.one("typed text")}, m{})
	g.call("call@4", "evaluateExpression", m{"expression": `() => login("` + g.one("script of an action") + `")`, "arg": m{"value": m{"s": text(g.object("argument of an action"))}}}, m{"result": m{"value": m{"s": g.prose("result of an action")}}})
	g.call("call@5", "click", m{"selector": "text=" + g.one("selector"), "note": g.object("parameters of an action")},
		m{"error": m{"name": "TimeoutError", "message": "Timeout 700ms: " + g.prose("error of an action"), "stack": "TimeoutError: " + g.prose("stack of an action") + "\n    at /app/t.spec.ts:3:4"}})
	g.page("call@5", shop+"/after?session_token="+g.named("address after a step"), []any{"P", m{}, g.prose("text of a page after a step")})
}

func (g *garden) request(method, address string, status int, entry m) {
	base := m{"pageref": "page@1", "_frameref": "frame@1", "startedDateTime": "2023-11-14T22:13:20Z", "time": 5, "_monotonicTime": g.tick(), "_resourceType": "fetch", "cache": m{}, "timings": m{"send": 0, "wait": 5, "receive": 0},
		"request":  m{"method": method, "url": address, "httpVersion": "HTTP/1.1", "cookies": []any{}, "headers": []any{}, "queryString": []any{}, "headersSize": -1, "bodySize": 0},
		"response": m{"status": status, "statusText": "X", "httpVersion": "HTTP/1.1", "cookies": []any{}, "headers": []any{}, "content": m{"size": 10, "mimeType": "application/json"}, "headersSize": -1, "bodySize": 10, "redirectURL": ""}}
	for name, value := range entry {
		if part, ok := value.(m); ok {
			for k, v := range part {
				base[name].(m)[k] = v
			}
			continue
		}
		base[name] = value
	}
	g.network = append(g.network, m{"type": "resource-snapshot", "snapshot": base})
}

func header(name, value string) m { return m{"name": name, "value": value} }

func (g *garden) body(data, kind, ending string) m {
	return m{"size": len(data), "mimeType": kind, "_file": g.file(data, ending)}
}

// requests plants what was sent and answered.
func (g *garden) requests() {
	g.request("POST", shop+"/api/login?"+g.query("address of a request"), 200, m{
		"request": m{"headers": []any{header("Authorization", "Bearer "+g.named("authorization")), header("Cookie", "sid="+g.named("cookie")+"; auth="+g.named("cookie")), header("X-Api-Key", g.named("header")), header("X-Trace", g.one("other header"))},
			"postData": m{"mimeType": "application/json", "text": text(g.object("body of a request"))}},
		"response": m{"headers": []any{header("Set-Cookie", "session="+g.named("set cookie")+"; Path=/"), header("Location", shop+"/n?token="+g.named("location"))}, "content": g.body(text(g.object("body of an answer")), "application/json", ".json")}})
	form := url.Values{}
	for _, f := range seedForms {
		form.Set("f "+f.name, g.plant("form", f.name, f.make(g)))
	}
	form.Set("password", g.named("form"))
	g.request("POST", shop+"/api/form", 500, m{"request": m{"headers": []any{header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("bob:"+g.named("basic authorization"))))}, "postData": m{"mimeType": "application/x-www-form-urlencoded", "text": form.Encode()}},
		"response": m{"content": g.body(text(m{"detail": g.prose("answer of an error")}), "application/json", ".json")}})
	g.request("POST", shop+"/api/parts", 500, m{"request": m{"postData": m{"mimeType": "multipart/form-data; boundary=XX", "text": "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + g.named("part of a form") + "\r\n--XX--\r\n"}},
		"response": m{"content": g.body("<html><pre>"+g.prose("page of an answer")+`</pre><input type=password value="`+g.named("field of an answer")+`"></html>`, "text/html", ".html")}})
	g.request("GET", shop+"/app.js", 200, m{"response": m{"content": g.body("const apiKey = \""+g.named("script")+"\"; const cfg="+text(g.object("script"))+" // "+g.prose("comment of a script"), "text/javascript", ".js")}})
	g.request("GET", shop+"/text", 200, m{"response": m{"content": g.body(g.prose("text"), "text/plain", ".txt")}})
	g.request("GET", shop+"/users/"+g.one("path")+"/keys/"+g.one("path"), 404, nil)
	g.request("GET", "http://bob:"+g.named("user of an address")+"@shop.test/x", 500, nil)
	g.request("GET", shop+"/sse", 200, m{"response": m{"content": g.body("data: "+text(g.object("event stream"))+"\n\ndata: "+g.prose("event stream")+"\n\n", "text/event-stream", ".txt")}})
	g.request("GET", "ws://shop.test/ws?access_token="+g.named("address of a socket"), 101, m{"_resourceType": "websocket", "_webSocketMessages": []any{
		m{"type": "send", "time": 1.1, "opcode": 1, "data": text(g.object("sent to a socket"))}, m{"type": "receive", "time": 1.2, "opcode": 1, "data": g.prose("from a socket")},
		m{"type": "receive", "time": 1.3, "opcode": 2, "data": base64.StdEncoding.EncodeToString([]byte(text(g.object("bytes from a socket"))))}}})
	g.request("GET", shop+"/fail?"+g.query("address that failed"), -1, m{"_failureText": "net::ERR " + g.one("reason of a failure")})
	g.request("GET", "http://third.test/c?k="+g.one("address of another site"), 500, m{"request": m{"headers": []any{header("Authorization", "token "+g.one("header to another site"))}},
		"response": m{"content": g.body(base64.StdEncoding.EncodeToString([]byte(text(g.object("answer in base64")))), "text/plain", ".txt")}})
}

// messages plants what pages and programs said.
func (g *garden) messages() {
	for _, level := range []string{"error", "warning", "log"} {
		g.event(m{"type": "console", "time": g.tick(), "messageType": level, "pageId": "page@1", "text": g.prose("console " + level), "args": []any{m{"preview": g.prose("argument of a message"), "value": g.object("argument of a message")}},
			"location": m{"url": shop + "/app.js?" + g.query("place of a message"), "lineNumber": 1, "columnNumber": 1}})
	}
	g.event(m{"type": "event", "time": g.tick(), "class": "BrowserContext", "method": "pageError", "pageId": "page@1", "params": m{"error": m{"error": m{"name": "Error", "message": g.prose("error of a page"), "stack": "Error: " + g.prose("stack of a page") + "\n    at login (" + shop + "/app.js?" + g.query("address in a stack") + ":1:1)"}}}})
	g.event(m{"type": "event", "time": g.tick(), "class": "BrowserContext", "method": "dialog", "pageId": "page@1", "params": m{"type": "prompt", "message": g.prose("dialog")}})
	g.event(m{"type": "event", "time": g.tick(), "class": "Page", "method": "download", "pageId": "page@1", "params": m{"url": shop + "/d?token=" + g.named("download"), "suggestedFilename": "key-" + g.one("name of a download") + ".txt"}})
	g.event(m{"type": "event", "time": g.tick(), "class": "App", "method": "note", "params": m{"text": g.prose("event of an app"), "data": g.object("event of an app")}})
	g.event(m{"type": "stdout", "timestamp": g.tick(), "text": g.prose("output")})
	g.event(m{"type": "stderr", "timestamp": g.tick(), "base64": base64.StdEncoding.EncodeToString([]byte(g.prose("errors put out")))})
}

// runner plants what a test runner kept.
func (g *garden) runner() {
	add := func(e m) { g.test = append(g.test, e) }
	add(m{"version": 10, "type": "context-options", "origin": "testRunner", "browserName": "", "playwrightVersion": "1.65.1", "options": m{}, "platform": "linux", "wallTime": 1700000000000, "monotonicTime": 999, "sdkLanguage": "javascript", "testTimeout": 15000,
		"annotations": []any{m{"type": "issue", "description": g.prose("annotation")}}})
	add(m{"type": "before", "callId": "t@1", "startTime": 1001, "class": "Test", "method": "test.step", "title": "step " + g.one("title of a step"), "params": m{"expected": g.one("expectation")}, "stack": []any{m{"file": "/app/t.spec.ts", "line": 3, "column": 4}}})
	add(m{"type": "error", "message": "Error: " + g.prose("error of a test"), "stack": []any{m{"file": "/app/t.spec.ts", "line": 3, "column": 4}}})
	g.files["resources/note.txt"] = g.prose("attachment")
	add(m{"type": "after", "callId": "t@1", "endTime": g.tick(), "annotations": []any{}, "error": m{"name": "", "message": "Error: " + g.prose("error of a step"), "stack": ""},
		"attachments": []any{m{"name": "log " + g.one("name of an attachment"), "contentType": "text/plain", "file": "resources/note.txt"}, m{"name": "inline", "contentType": "application/json", "base64": base64.StdEncoding.EncodeToString([]byte(text(g.object("attachment in base64"))))}}})
	source := "await page.fill('#password', '" + g.named("source") + "'); // " + g.one("comment of a source") + "\nconst password = \"" + g.named("source") + "\"\n"
	g.files["src/0123456789012345678901234567890123456789.txt"] = source
	g.files["resources/"+g.one("name of an entry")+".txt"] = "x"
}
