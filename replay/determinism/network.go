package determinism

import "context"

// Request is a request of a page that waits for a decision.
type Request struct {
	ID      string // the same for all hops of a redirect
	URL     string
	Method  string
	Headers map[string]string
	Body    []byte // what of it the browser tells
	// Type is the browser's: Document, Stylesheet, Image, Font, Script, XHR,
	// Fetch, WebSocket, Ping and so on.
	Type string
	// Frame is the id of the frame that asks, and Main tells that it asks for
	// the document of a page.
	Frame string
	Main  bool
}

// Answer is what becomes of a request. The zero value lets it out.
type Answer struct {
	// Fail is why it fails, in the words of the Fetch domain: BlockedByClient,
	// ConnectionRefused, TimedOut and so on.
	Fail string
	// Status, if not 0, is of an answer that the driver gives.
	Status  int
	Headers []Header
	Body    []byte
	// URL, if not "", is where a request goes that is let out, which the page
	// does not see.
	URL string
}

// Header is one header of an answer.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Network decides about the requests of a session. It is asked about one
// request at a time, in an order that does not depend on chance.
type Network interface {
	Answer(ctx context.Context, r *Request) Answer
}
