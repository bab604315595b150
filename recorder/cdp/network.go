package cdp

import (
	"strings"
	"time"
)

var networkEvents = map[string]func(*Recorder, *session, event){
	"Network.requestWillBeSent":          on(willBeSent),
	"Network.requestWillBeSentExtraInfo": on(sentOnWire),
	"Network.responseReceived":           on(responseReceived),
	"Network.responseReceivedExtraInfo":  on(receivedOnWire),
	"Network.requestServedFromCache":     on(servedFromCache),
	"Network.dataReceived":               on(dataReceived),
	"Network.loadingFinished":            on(loadingFinished),
	"Network.loadingFailed":              on(loadingFailed),
	"Network.eventSourceMessageReceived": on(eventSourceMessage),
}

type sentRequest struct {
	URL         string            `json:"url"`
	Fragment    string            `json:"urlFragment"`
	Method      string            `json:"method"`
	Headers     map[string]string `json:"headers"`
	HasPostData bool              `json:"hasPostData"`
	PostData    string            `json:"postData"`
	PostEntries []struct {
		Bytes []byte `json:"bytes"`
	} `json:"postDataEntries"`
	Priority string `json:"initialPriority"`
}

type willBeSentParams struct {
	ID            string      `json:"requestId"`
	Loader        string      `json:"loaderId"`
	Request       sentRequest `json:"request"`
	Time          float64     `json:"timestamp"`
	Wall          float64     `json:"wallTime"`
	Initiator     raw         `json:"initiator"`
	Redirect      *response   `json:"redirectResponse"`
	RedirectExtra bool        `json:"redirectHasExtraInfo"`
	Type          string      `json:"type"`
	Frame         string      `json:"frameId"`
}

type response struct {
	URL           string            `json:"url"`
	Status        int               `json:"status"`
	StatusText    string            `json:"statusText"`
	Headers       map[string]string `json:"headers"`
	MimeType      string            `json:"mimeType"`
	Charset       string            `json:"charset"`
	Sent          map[string]string `json:"requestHeaders"`
	Reused        bool              `json:"connectionReused"`
	Connection    float64           `json:"connectionId"`
	IP            string            `json:"remoteIPAddress"`
	Port          int               `json:"remotePort"`
	DiskCache     bool              `json:"fromDiskCache"`
	ServiceWorker bool              `json:"fromServiceWorker"`
	Prefetch      bool              `json:"fromPrefetchCache"`
	WireBytes     float64           `json:"encodedDataLength"`
	Timing        *timing           `json:"timing"`
	Protocol      string            `json:"protocol"`
	Security      *security         `json:"securityDetails"`
}

// timing is in milliseconds after RequestTime, which is in seconds; -1 is unknown.
type timing struct {
	RequestTime  float64 `json:"requestTime"`
	ProxyStart   float64 `json:"proxyStart"`
	ProxyEnd     float64 `json:"proxyEnd"`
	DNSStart     float64 `json:"dnsStart"`
	DNSEnd       float64 `json:"dnsEnd"`
	ConnectStart float64 `json:"connectStart"`
	ConnectEnd   float64 `json:"connectEnd"`
	SSLStart     float64 `json:"sslStart"`
	SSLEnd       float64 `json:"sslEnd"`
	SendStart    float64 `json:"sendStart"`
	SendEnd      float64 `json:"sendEnd"`
	HeadersStart float64 `json:"receiveHeadersStart"`
	HeadersEnd   float64 `json:"receiveHeadersEnd"`
}

type security struct {
	Protocol string  `json:"protocol"`
	Subject  string  `json:"subjectName"`
	Issuer   string  `json:"issuer"`
	From     float64 `json:"validFrom"`
	To       float64 `json:"validTo"`
}

type wireRequest struct {
	ID      string            `json:"requestId"`
	Headers map[string]string `json:"headers"`
}

type wireResponse struct {
	ID      string            `json:"requestId"`
	Headers map[string]string `json:"headers"`
	Status  int               `json:"statusCode"`
	Text    string            `json:"headersText"`
}

type failure struct {
	Text     string `json:"errorText"`
	Canceled bool   `json:"canceled"`
	Blocked  string `json:"blockedReason"`
	CORS     *struct {
		Error string `json:"corsError"`
	} `json:"corsErrorStatus"`
}

// enableNetwork turns on the requests of a target. Bodies are kept outside of
// the page's process where the browser can, so that they survive a navigation.
func (r *Recorder) enableNetwork(s *session) {
	params := object{"maxPostDataSize": r.o.MaxBody, "maxTotalBufferSize": 4 * r.o.MaxBody, "maxResourceBufferSize": r.o.MaxBody}
	if r.o.Bodies && (s.page == nil || !s.page.keepsBodies) {
		r.conn.Send(s.id, "Network.configureDurableMessages", object{"maxTotalBufferSize": 4 * r.o.MaxBody, "maxResourceBufferSize": r.o.MaxBody},
			func(_ raw, err error) { s.durable = err == nil })
	}
	r.send(s, "Network.enable", params)
}

// yieldToWorkers has pages keep the bodies of answers themselves where a service
// worker serves them: what a worker makes up, the browser keeps nowhere else.
func (r *Recorder) yieldToWorkers() {
	for _, w := range r.sessions {
		if w.target.Type != "service_worker" {
			continue
		}
		for _, p := range r.pages {
			if !p.keepsBodies && originOf(p.url) == originOf(w.target.URL) {
				p.keepsBodies = true
				r.keepBodiesIn(p)
			}
		}
	}
}

// keepBodiesIn concerns the page's frames too: the browser keeps nothing for
// a frame whose page wants nothing kept.
func (r *Recorder) keepBodiesIn(p *page) {
	for _, s := range r.sessions {
		if s.page == p {
			r.send(s, "Network.configureDurableMessages", object{})
		}
	}
}

func willBeSent(r *Recorder, s *session, p *willBeSentParams, e event) {
	if strings.HasPrefix(p.Request.URL, "data:") {
		return
	}
	at := r.mono.at(p.Time, r.arrived(e.at))
	q := r.requests[p.ID]
	switch {
	case q == nil:
		q = &request{id: p.ID, session: s, seen: e.at}
		r.requests[p.ID] = q
	case p.Redirect != nil && q.last() != nil:
		h := q.last()
		h.response, h.hasExtra, h.redirect = p.Redirect, p.RedirectExtra, p.Request.URL
		h.transfer = int64(p.Redirect.WireBytes)
		h.ended, h.end, h.endedAt = true, at, e.at
	case len(q.hops) > 0: // a frame's request goes on in the process of its site
		q.session = s
		return
	}
	h := &hop{request: q, sentInfo: p.Request, initiator: p.Initiator, kind: p.Type, frame: p.Frame, start: at, heard: e.at, wall: p.Wall, issued: p.Time, transfer: -1}
	q.hops = append(q.hops, h)
	r.takePost(s, h)
	r.writeWhole(q)
}

// requestOf finds the request of an event that may come before any other.
func (r *Recorder) requestOf(s *session, id string) *request {
	q := r.requests[id]
	if q == nil {
		q = &request{id: id, session: s, seen: time.Now()}
		r.requests[id] = q
	}
	return q
}

func sentOnWire(r *Recorder, s *session, p *wireRequest, _ event) {
	q := r.requestOf(s, p.ID)
	q.sent = append(q.sent, p)
}

func receivedOnWire(r *Recorder, s *session, p *wireResponse, _ event) {
	q := r.requestOf(s, p.ID)
	q.received = append(q.received, p)
	r.writeWhole(q)
}

// hopOf finds the request that an event concerns, whoever reports it.
func (r *Recorder) hopOf(id string) *hop {
	if q := r.requests[id]; q != nil {
		return q.last()
	}
	return nil
}

func servedFromCache(r *Recorder, _ *session, p *struct {
	ID string `json:"requestId"`
}, _ event) {
	if h := r.hopOf(p.ID); h != nil {
		h.memoryCache = true
	}
}

func responseReceived(r *Recorder, s *session, p *struct {
	ID       string   `json:"requestId"`
	Time     float64  `json:"timestamp"`
	Type     string   `json:"type"`
	Response response `json:"response"`
	HasExtra bool     `json:"hasExtraInfo"`
	Frame    string   `json:"frameId"`
}, e event) {
	h := r.hopOf(p.ID)
	if h == nil {
		return
	}
	h.request.session = s
	h.response, h.hasExtra = &p.Response, p.HasExtra
	h.heard, h.head = e.at, r.mono.at(p.Time, r.arrived(e.at))
	if p.Type != "" {
		h.kind = p.Type
	}
	if h.frame == "" {
		h.frame = p.Frame
	}
	if h.kind == "EventSource" {
		r.openEventStream(h)
	}
}

func dataReceived(r *Recorder, _ *session, p *struct {
	ID      string  `json:"requestId"`
	Time    float64 `json:"timestamp"`
	Length  int64   `json:"dataLength"`
	Encoded int64   `json:"encodedDataLength"`
}, e event) {
	if h := r.hopOf(p.ID); h != nil {
		h.came(r.mono.at(p.Time, r.arrived(e.at)), p.Length)
		h.heard = e.at
		h.bytes += p.Length
		h.wireBytes += p.Encoded
	}
}

func loadingFinished(r *Recorder, s *session, p *struct {
	ID      string  `json:"requestId"`
	Time    float64 `json:"timestamp"`
	Encoded float64 `json:"encodedDataLength"`
}, e event) {
	h := r.hopOf(p.ID)
	if h == nil || h.ended || !r.o.VirtualTime && h.untold(s) {
		return
	}
	h.ended, h.end, h.endedAt = true, r.mono.at(p.Time, r.arrived(e.at)), e.at
	h.transfer = int64(p.Encoded)
	r.takeBody(s, h)
	r.writeWhole(h.request)
}

func loadingFailed(r *Recorder, s *session, p *struct {
	failure
	ID   string  `json:"requestId"`
	Time float64 `json:"timestamp"`
}, e event) {
	h := r.hopOf(p.ID)
	if h == nil || h.ended {
		return
	}
	h.ended, h.end, h.endedAt = true, r.mono.at(p.Time, r.arrived(e.at)), e.at
	h.failure = &p.failure
	if h.response == nil {
		h.hasExtra = false
	}
	r.takePart(s, h)
	r.writeWhole(h.request)
}
