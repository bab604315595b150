package cdp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// The screencast's pace. Each picture costs the browser the drawing of the whole
// page, whether it is asked for or not, so the screencast is ended when pictures
// come faster than they are wanted, and begun again after a while. It then
// begins with a picture of the page as it is.
const (
	calm  = 250 * time.Millisecond // while nothing is done
	brisk = 150 * time.Millisecond // for keen after the beginning or the end of an action
	keen  = 500 * time.Millisecond
	// stillAfter is after how long without a picture a page looks as it did.
	stillAfter = 150 * time.Millisecond
	// firstAfter is how long the first picture of a screencast may take.
	firstAfter = time.Second
	// loadingAlone is how long a page that loads is left alone, unless it has loaded:
	// each picture takes from the time in which it is drawn for the first time.
	loadingAlone = 800 * time.Millisecond
)

// screencast is the series of pictures of a page.
type screencast struct {
	on     bool
	fresh  bool      // it was begun, and no picture has come since
	once   bool      // it was begun for one picture: of those that follow the last will do
	came   time.Time // when the last picture did
	paused time.Time // when it was ended
	keen   time.Time // until when it is brisk
	data   []byte    // the last picture, as the browser gave it
	last   string    // the file of it
	lastAt trace.Time
	before string // the file of the one before
	// wanted are who waits for a picture that is taken after they asked.
	wanted []wantedPicture
	acts   []shownAct    // of which no picture is sure to be there yet; only the last one goes on
	wait   time.Duration // between an act and the first picture of it
}

// wantedPicture is a picture that has to be there.
type wantedPicture struct {
	due  time.Time // when the last one will do
	then func()
}

func (c *screencast) pace(now time.Time) time.Duration {
	if now.Before(c.keen) {
		return brisk
	}
	return calm
}

func (r *Recorder) startCast(p *page) { r.startCastFor(p, false) }

// startCastFor begins the screencast for one picture, or for all to come. Of
// those that are drawn while the one is brought the browser then makes nothing,
// but keeps the last, in case that the one does not show what it should.
func (r *Recorder) startCastFor(p *page, once bool) {
	if r.o.Pictures == NoPictures || r.o.Pictures == "" || r.o.Overlay || p.closed {
		return
	}
	p.cast.on, p.cast.fresh, p.cast.once = true, true, once
	params := object{"format": string(r.o.Pictures), "quality": r.o.Quality, "maxWidth": r.o.MaxSide, "maxHeight": r.o.MaxSide, "everyNthFrame": 1}
	if once {
		params["maxFramesInFlight"], params["sendLastFrame"] = 1, true
	}
	r.send(p.session, "Page.startScreencast", params)
}

// pauseCast ends the screencast for a while, unless somebody waits for a picture.
func (r *Recorder) pauseCast(p *page) {
	c := &p.cast
	if c.on && !c.fresh && !c.awaitsAct() && len(c.wanted) == 0 {
		c.on, c.paused = false, time.Now()
		r.send(p.session, "Page.stopScreencast", nil)
	}
}

// castFrame is what the browser says of a picture, besides its bytes.
type castFrame struct {
	Data     string `json:"data"`
	Session  int    `json:"sessionId"`
	Metadata struct {
		Width  float64 `json:"deviceWidth"`
		Height float64 `json:"deviceHeight"`
		Time   float64 `json:"timestamp"`
	} `json:"metadata"`
}

const pictureHead = `{"data":"`

// pictureIn takes the base64 of a picture out of the parameters of its event,
// which is most of them, without having a JSON decoder read it. Where they are
// written in another way it does not.
func pictureIn(params []byte) (data, rest []byte) {
	inner, ok := bytes.CutPrefix(params, []byte(pictureHead))
	i := bytes.IndexByte(inner, '"')
	if !ok || i < 0 || !bytes.HasPrefix(inner[i:], []byte(`",`)) || bytes.IndexByte(inner[:i], '\\') >= 0 {
		return nil, params
	}
	return inner[:i], append([]byte{'{'}, inner[i+2:]...)
}

// decoded is what base64 stands for; nil for what is none.
func decoded(data []byte) []byte {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(data)))
	n, err := base64.StdEncoding.Decode(out, data)
	if err != nil {
		return nil
	}
	return out[:n]
}

func screencastFrame(r *Recorder, s *session, e event) {
	var p castFrame
	data, rest := pictureIn(e.Params)
	if json.Unmarshal(rest, &p) != nil {
		return
	}
	if data == nil {
		data = []byte(p.Data)
	}
	if s.page == nil {
		return
	}
	c := &s.page.cast
	s.page.width, s.page.height = p.Metadata.Width, p.Metadata.Height
	at := r.arrived(e.at)
	if p.Metadata.Time > 0 {
		at = r.wall.at(p.Metadata.Time, at)
	}
	late := !c.fresh && r.arrived(e.at)-at > trace.Time(tardy)
	wanted := c.wanted
	c.wanted = nil
	swap := p.Metadata.Time * 1000
	shown, must := r.showActs(s.page, at)
	if shown != at {
		swap = 0 // readers go by it
	}
	c.drew(at, !bytes.Equal(data, c.data))
	c.learn()
	c.data = data
	r.goOn(s.page, p.Session, e.at, late) // at once: until it hears of it the browser goes on taking pictures
	r.picture(s.page, decoded(data), shown, swap, must || len(wanted) > 0)
	for _, w := range wanted {
		w.then()
	}
}

// goOn asks for the next picture after one that came at now, or ends the
// screencast for a while: when the last one came a moment ago, and while the
// page has a lot to do.
func (r *Recorder) goOn(p *page, id int, now time.Time, late bool) {
	c := &p.cast
	soon := !c.fresh && now.Sub(c.came) < c.pace(now) || p.loading.under
	c.came = now
	if !c.on {
		return // it was under way
	}
	c.fresh = false
	switch {
	case (soon || c.once) && !c.awaitsAct():
		c.on, c.paused = false, now
		r.send(p.session, "Page.stopScreencast", nil)
	case late: // the browser keeps few pictures for who is slow, and lets go of those that come then
		r.send(p.session, "Page.stopScreencast", nil)
		r.startCast(p)
	default:
		r.send(p.session, "Page.screencastFrameAck", object{"sessionId": id})
	}
}

// resumeCast begins the screencast anew when it is time. A page that is loading
// is left alone at first.
func (r *Recorder) resumeCast(p *page) {
	c := &p.cast
	now := time.Now()
	if since := now.Sub(c.paused); !c.on && !c.paused.IsZero() && since >= c.pace(now) && (!p.loading.under || since >= loadingAlone) {
		r.startCast(p)
	}
}

// quicken takes more pictures for a while, because something is being done.
func (r *Recorder) quicken(p *page) {
	p.cast.keen = time.Now().Add(keen)
	r.resumeCast(p)
}

// picture writes a picture. One that is as the last was is written only if it
// must be: it says that nothing changed until then.
func (r *Recorder) picture(p *page, img []byte, at trace.Time, swap float64, must bool) {
	if len(img) == 0 {
		return
	}
	ext := ".jpeg"
	if r.o.Pictures == PNG {
		ext = ".png"
	}
	file, err := r.sink.AddResource(img, ext)
	if err != nil || file == p.cast.last && !must {
		return
	}
	p.cast.before, p.cast.last, p.cast.lastAt = p.cast.last, file, at
	r.sink.Write(&trace.ScreencastFrame{PageID: p.id, File: file, Width: p.width, Height: p.height, Timestamp: at, FrameSwapWallTime: swap})
}

// shoot takes a picture now, and calls then when it is written or cannot be
// had. Where there is a screencast its next picture is taken: if none comes
// while it runs the page looks as it did in the last.
func (r *Recorder) shoot(p *page, then func()) {
	switch {
	case r.o.Pictures == NoPictures || r.o.Pictures == "" || p.closed:
		then()
	case p.cast.last != "" && !r.o.Overlay:
		p.cast.keen = time.Now().Add(keen)
		if !p.cast.on {
			r.startCast(p)
		}
		wait := stillAfter
		if p.cast.fresh {
			wait = firstAfter
		}
		p.cast.wanted = append(p.cast.wanted, wantedPicture{time.Now().Add(wait), then})
	default:
		r.capture(p, then)
	}
}

// settlePictures says of pages from which no picture came that they look as
// they did.
func (r *Recorder) settlePictures(p *page) {
	c := &p.cast
	for len(c.wanted) > 0 && (p.closed || time.Now().After(c.wanted[0].due)) {
		w := c.wanted[0]
		c.wanted, c.fresh = c.wanted[1:], false
		if !p.closed {
			r.pictureAgain(p, c.last, r.sink.Now())
		}
		w.then()
	}
	r.settleActs(p)
}

// capture asks for a picture. Without a clip: one makes the browser lay out
// the page anew for it, after which a wheel may move nothing any more.
func (r *Recorder) capture(p *page, then func()) {
	params := object{"format": string(r.o.Pictures), "optimizeForSpeed": true}
	if r.o.Pictures == JPEG {
		params["quality"] = r.o.Quality
	}
	shown := r.hideOverlay(p)
	r.conn.Send(p.session.id, "Page.captureScreenshot", params, func(result raw, err error) {
		var shot struct {
			Data []byte `json:"data"`
		}
		if err == nil && json.Unmarshal(result, &shot) == nil {
			r.picture(p, shot.Data, r.sink.Now(), 0, true)
		}
		shown()
		then()
	})
}
