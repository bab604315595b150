package watch

import (
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// secretIn tells of a text that shows a secret to whoever sees addresses or
// the console.
func (d *Detector) secretIn(text, where, url string) {
	if masked := d.forms.Text(text); masked != text {
		d.exposed(where, url)
	}
}

func (d *Detector) exposed(where, url string) {
	d.tell(Finding{Category: Security, Severity: Warning, Rule: "secret-exposed", Message: "Possible credential exposure in " + where, URL: url}, kind(where))
}

// keyForms are those of keys that no page should be sent or send. A sign-in is
// answered with a token, and some keys are made to be in pages.
var keyForms = sync.OnceValue(func() (list []redact.Form) {
	for _, f := range redact.Forms() {
		switch f.Name() {
		case "JWT", "base64 of a JWT", "Google key", "Google token":
		default:
			list = append(list, f)
		}
	}
	return list
})

// keysIn tells of keys of services in what was sent and answered. Of bodies it
// sees the beginning.
func (d *Detector) keysIn(e *har.Entry) {
	place := e.Request.Method + " " + shown(e)
	for _, part := range []struct{ where, text string }{
		{"the body of " + place, d.sentText(e)},
		{"the answer to " + place, d.answerText(e)},
		{"messages of " + place, string(e.Extra("_webSocketMessages"))},
	} {
		if holdsKey(part.text) {
			d.exposed(part.where, e.Request.URL)
		}
	}
}

func (d *Detector) sentText(e *har.Entry) string {
	p := e.Request.PostData
	if p == nil {
		return ""
	}
	return d.textOf(p.Text, p.File)
}

func (d *Detector) answerText(e *har.Entry) string {
	c := &e.Response.Content
	if c.Encoding == "base64" && c.File == "" || strings.HasPrefix(c.MimeType, "image/") || strings.HasPrefix(c.MimeType, "font/") {
		return ""
	}
	return d.textOf(c.Text, c.File)
}

func (d *Detector) textOf(text, file string) string {
	if text == "" && file != "" && d.Body != nil {
		return d.Body(file)
	}
	return text
}

func holdsKey(text string) bool {
	for _, f := range keyForms() {
		if strings.Contains(text, f.Gate()) && len(f.Places(text)) > 0 {
			return true
		}
	}
	return false
}
