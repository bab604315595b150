package cdp

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// socket is a web socket from its handshake to its end.
type socket struct {
	id        string
	session   *session
	url       string
	initiator raw
	start     trace.Time
	wall      float64 // seconds since the epoch
	opened    trace.Time
	sent      map[string]string
	status    int
	text      string
	received  map[string]string
	stream    *stream
	failure   string
	counts    [2]int // of messages sent and received
}

var socketEvents = map[string]func(*Recorder, *session, event){
	"Network.webSocketCreated":                   on(socketCreated),
	"Network.webSocketWillSendHandshakeRequest":  on(socketAsks),
	"Network.webSocketHandshakeResponseReceived": on(socketAnswered),
	"Network.webSocketFrameSent":                 on(socketMessage("send")),
	"Network.webSocketFrameReceived":             on(socketMessage("receive")),
	"Network.webSocketFrameError":                on(socketFails),
	"Network.webSocketClosed":                    on(socketClosed),
}

func socketCreated(r *Recorder, s *session, p *struct {
	ID        string `json:"requestId"`
	URL       string `json:"url"`
	Initiator raw    `json:"initiator"`
}, e event) {
	r.sockets[p.ID] = &socket{id: p.ID, session: s, url: p.URL, initiator: p.Initiator, start: r.arrived(e.at), wall: float64(e.at.UnixMicro()) / 1e6}
}

func socketAsks(r *Recorder, s *session, p *struct {
	ID      string  `json:"requestId"`
	Time    float64 `json:"timestamp"`
	Wall    float64 `json:"wallTime"`
	Request struct {
		Headers map[string]string `json:"headers"`
	} `json:"request"`
}, e event) {
	if k := r.sockets[p.ID]; k != nil {
		k.start, k.wall, k.sent = r.mono.at(p.Time, r.arrived(e.at)), p.Wall, p.Request.Headers
	}
}

func socketAnswered(r *Recorder, s *session, p *struct {
	ID       string  `json:"requestId"`
	Time     float64 `json:"timestamp"`
	Response struct {
		Status  int               `json:"status"`
		Text    string            `json:"statusText"`
		Headers map[string]string `json:"headers"`
		Sent    map[string]string `json:"requestHeaders"`
	} `json:"response"`
}, e event) {
	k := r.sockets[p.ID]
	if k == nil {
		return
	}
	k.opened, k.status, k.text, k.received = r.mono.at(p.Time, r.arrived(e.at)), p.Response.Status, p.Response.Text, p.Response.Headers
	if len(p.Response.Sent) > 0 {
		k.sent = p.Response.Sent
	}
	if k.stream == nil {
		k.stream = r.newStream("webSocket", k.url, pageOf(s))
	}
}

type socketFrame struct {
	ID       string  `json:"requestId"`
	Time     float64 `json:"timestamp"`
	Response struct {
		Opcode float64 `json:"opcode"`
		Data   string  `json:"payloadData"`
	} `json:"response"`
}

func socketMessage(kind string) func(*Recorder, *session, *socketFrame, event) {
	return func(r *Recorder, s *session, p *socketFrame, e event) {
		k := r.sockets[p.ID]
		if k == nil {
			return
		}
		if k.stream == nil { // attached to while it was open
			k.stream = r.newStream("webSocket", k.url, pageOf(s))
		}
		if kind == "send" {
			k.counts[0]++
		} else {
			k.counts[1]++
		}
		at := r.mono.at(p.Time, r.arrived(e.at))
		wall := k.wall*1000 + (at - k.start).Milliseconds()
		k.stream.write(streamLine{Type: kind, Time: round(wall), Opcode: int(p.Response.Opcode), Data: p.Response.Data})
	}
}

func socketFails(r *Recorder, _ *session, p *struct {
	ID    string `json:"requestId"`
	Error string `json:"errorMessage"`
}, _ event) {
	if k := r.sockets[p.ID]; k != nil {
		k.failure = p.Error
	}
}

func socketClosed(r *Recorder, _ *session, p *struct {
	ID   string  `json:"requestId"`
	Time float64 `json:"timestamp"`
}, e event) {
	if k := r.sockets[p.ID]; k != nil {
		r.endSocket(k, r.mono.at(p.Time, r.arrived(e.at)), "closed")
	}
}

// endSocket writes the entry of a socket. how is "" if it is still open.
func (r *Recorder) endSocket(k *socket, at trace.Time, how string) {
	delete(r.sockets, k.id)
	sent, received := fieldsOf(k.sent), fieldsOf(k.received)
	e := har.Entry{StartedDateTime: isoTime(k.wall), Time: -1, Cache: raw("{}"), PageRef: pageOf(k.session), MonotonicTime: k.start.Milliseconds(), HasMonotonicTime: true,
		ResourceType: "websocket", Timings: har.Timings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Send: -1, Wait: -1, Receive: -1}}
	if k.session.page != nil {
		e.FrameRef = frameRef(k.session.target.ID)
	}
	e.Request = har.Request{Method: "GET", URL: k.url, HTTPVersion: "HTTP/1.1", Headers: r.harHeaders(sent), Cookies: r.requestCookies(sent), QueryString: queryOf(k.url), HeadersSize: -1}
	e.Response = har.Response{Status: -1, StatusText: k.text, HTTPVersion: "HTTP/1.1", Headers: r.harHeaders(received), Cookies: r.responseCookies(received),
		Content: har.Content{Size: -1, MimeType: "x-unknown"}, HeadersSize: -1, BodySize: -1, TransferSize: -1}
	if k.status != 0 {
		e.Response.Status = k.status
		e.Timings.Wait = round((k.opened - k.start).Milliseconds())
	}
	if how != "" {
		e.Time = round((at - k.start).Milliseconds())
	}
	if k.failure != "" || how != "" && k.status == 0 {
		e.Response.FailureText = strings.TrimSpace("net::ERR_FAILED " + k.failure)
	}
	if k.stream != nil {
		k.stream.close()
		e.Response.Content.File, e.Response.Content.Size = k.stream.file, int(k.stream.size)
		e.SetExtra("_messages", mustJSON(map[string]int{"sent": k.counts[0], "received": k.counts[1], "notRecorded": k.stream.lost}))
	}
	if len(k.initiator) > 0 && len(k.initiator) <= maxInitiator {
		e.SetExtra("_initiator", k.initiator)
	}
	if a := authOf(sent); a != nil {
		e.SetExtra("_auth", a)
	}
	if how != "" {
		e.SetExtra("_closed", mustJSON(how))
	}
	r.sink.Write(&trace.ResourceSnapshot{Entry: e})
}

// openEventStream begins to record the messages of an event stream.
func (r *Recorder) openEventStream(h *hop) {
	if h.stream == nil {
		h.stream = r.newStream("eventStream", h.sentInfo.URL, pageOf(h.request.session))
		h.body = body{state: bodyFull, file: h.stream.file}
	}
}

func eventSourceMessage(r *Recorder, _ *session, p *struct {
	ID    string  `json:"requestId"`
	Time  float64 `json:"timestamp"`
	Name  string  `json:"eventName"`
	Event string  `json:"eventId"`
	Data  string  `json:"data"`
}, e event) {
	h := r.hopOf(p.ID)
	if h == nil || h.written {
		return
	}
	h.kind = "EventSource"
	r.openEventStream(h)
	at := r.mono.at(p.Time, r.arrived(e.at))
	wall := h.wall*1000 + (at - h.start).Milliseconds()
	h.stream.write(streamLine{Type: "receive", Time: round(wall), Opcode: 1, Data: p.Data, Event: p.Name, ID: p.Event})
}
